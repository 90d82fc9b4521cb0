// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/uri.h"

#include <string>

#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;

TEST(UriTest, KnowsUrisByTheirScheme) {
  for (const char* uri : {"s3://b/k", "gs://b", "file:///x", "a+b-c.1://h"}) {
    EXPECT_TRUE(IsUri(uri)) << uri;
  }
  for (const char* path : {"", "/a/b", "a", "://", "1s://b", "s3:/b", "a b://c"}) {
    EXPECT_FALSE(IsUri(path)) << path;
  }
}

TEST(UriTest, TakesAPathApart) {
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      const Uri uri, ParseUri("S3://b/a%20b/c%3Fd.parquet?region=x&scheme=http"));
  EXPECT_EQ(uri.scheme, "s3");
  EXPECT_EQ(uri.authority, "b");
  EXPECT_EQ(uri.path, "a b/c?d.parquet");
  EXPECT_EQ(uri.query, "region=x&scheme=http");
  EXPECT_EQ(uri.Root(), "s3://b?region=x&scheme=http");
  EXPECT_EQ(uri.Shown(uri.path), "s3://b/a b/c?d.parquet");
}

TEST(UriTest, EveryKeyHasAPathThatIsParsedBack) {
  ROWFEED_ASSERT_OK_AND_ASSIGN(const Uri uri, ParseUri("s3://b?region=x"));
  for (const std::string key :
       {"a", "a/b", "a b", "50%", "50%25", "%41", "q?x=1&y", "h#1", "\xC3\xA4"}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const Uri back, ParseUri(uri.WithPath(key)));
    EXPECT_EQ(back.path, key);
    EXPECT_EQ(back.Root(), uri.Root());
  }
}

TEST(UriTest, SecretsAreForTheClientAlone) {
  const std::string s3 = "s3://AKID:hid%2Fden@b/k?region=x&secret_key=hidden";
  const std::string azure =
      "abfs://c:hidden@a.dfs.core.windows.net/k?client_secret=hidden&sig=hid";
  for (const std::string& text : {s3, azure}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const Uri uri, ParseUri(text));
    for (const std::string& shown :
         {uri.Root(), uri.WithPath("k"), uri.Shown("k"), ShownPath(text)}) {
      EXPECT_EQ(shown.find("hid"), std::string::npos) << shown;
      EXPECT_EQ(shown.find("AKID"), std::string::npos) << shown;
    }
  }
  EXPECT_EQ(ParseUri(s3)->ForClient(),
            "s3://AKID:hid%2Fden@b?region=x&secret_key=hidden");
  EXPECT_EQ(ParseUri(azure)->ForClient(),
            "abfs://c:hidden@a.dfs.core.windows.net?client_secret=hidden&sig=hid");
  EXPECT_EQ(ParseUri(azure)->Root(), "abfs://c@a.dfs.core.windows.net");
}

TEST(UriTest, OptionsAreSecretHoweverTheyAreSpelled) {
  for (const std::string option : {"X-Amz-Security-Token", "Password", "sas_Sig", "SIG",
                                   "X-Amz-Signature", "client_%53ecret"}) {
    EXPECT_EQ(ParseUri("s3://b/k?" + option + "=hidden")->Root(), "s3://b") << option;
  }
}

TEST(UriTest, ARawSlashOrQuestionMarkInASecretShowsNothing) {
  for (const std::string uri :
       {"s3://AKID:hid/den@b/x", "s3://AKID:hid?den@b/x", "s3://AKID:123/den@b/x",
        "abfs://c:hid/den@a/x", "zz://AKID:/hidden@b/x?y"}) {
    const Status status = ParseUri(uri).status();
    EXPECT_THAT(status, StatusIs(StatusCode::kInvalid, "percent-encoded")) << uri;
    for (const std::string& text : {status.message(), ShownPath(uri)}) {
      EXPECT_EQ(text.find("hid"), std::string::npos) << text;
      EXPECT_EQ(text.find("AKID"), std::string::npos) << text;
    }
  }
  EXPECT_EQ(ShownPath("hdfs://host:8020/a@b"), "hdfs://host:8020/a@b");
  EXPECT_EQ(ShownPath("s3://b/a:b/c@d"), "s3://b/a:b/c@d");
}

TEST(UriTest, AKeyBeforeAPasswordIsNotShownIfTheSchemeIsUnknown) {
  const std::string misspelt = "s4://AKID:hid%2Fden@b/x?region=x";
  EXPECT_EQ(ShownPath(misspelt), "s4://b/x");
  EXPECT_EQ(ParseUri(misspelt)->ForClient(), "s4://AKID:hid%2Fden@b?region=x");
  EXPECT_EQ(ShownPath("hdfs://me:hidden@host/x"), "hdfs://me@host/x");
  EXPECT_EQ(ShownPath("tf+hdfs://me:hidden@host/x"), "tf+hdfs://me@host/x");
  EXPECT_EQ(ShownPath("zz://me@host/x"), "zz://me@host/x");
}

TEST(UriTest, NamesThatAreNoSecretsStay) {
  EXPECT_EQ(ParseUri("abfs://c@a.dfs.core.windows.net/k")->Root(),
            "abfs://c@a.dfs.core.windows.net");
  EXPECT_EQ(ParseUri("gs://anonymous@b/k")->Root(), "gs://anonymous@b");
}

TEST(UriTest, RefusesWhatHasNoBucket) {
  EXPECT_THAT(ParseUri("s3:///key"), StatusIs(StatusCode::kInvalid, "s3"));
}

TEST(UriTest, ShowsLocalPathsAsTheyAre) { EXPECT_EQ(ShownPath("/a?b"), "/a?b"); }

TEST(UriTest, ALiteralPathIsNotDecoded) {
  const std::string uri =
      WithLiteralPath("s3://AK:s%2F@bucket/a=b%20c/x.parquet?o=%2F");
  EXPECT_EQ(uri, "s3://AK:s%2F@bucket/a=b%2520c/x.parquet?o=%2F");
  ROWFEED_ASSERT_OK_AND_ASSIGN(const Uri parsed, ParseUri(uri));
  EXPECT_EQ(parsed.path, "a=b%20c/x.parquet");
  EXPECT_EQ(WithLiteralPath("s3://bucket"), "s3://bucket");
  EXPECT_EQ(WithLiteralPath("s3://bucket?o=%2F"), "s3://bucket?o=%2F");
}

TEST(UriTest, HadoopsNamesOfS3AreThoseOfS3) {
  for (const char* uri : {"s3a://AK:secret@b/x", "S3N://AK:secret@b/x"}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const Uri parsed, ParseUri(uri));
    EXPECT_EQ(parsed.scheme, "s3");
    EXPECT_EQ(parsed.WithPath(parsed.path), "s3://b/x");
  }
}

}  // namespace
}  // namespace rowfeed
