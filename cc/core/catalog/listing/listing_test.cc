// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/listing.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;
using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;
using ::testing::ElementsAre;

class ListingTest : public ::testing::Test {
 protected:
  void Touch(const std::vector<std::string>& names) {
    for (const std::string& name : names) WriteBytes(dir_.File(name), "");
  }

  // Returns the names that are listed for paths below the test's directory.
  std::vector<std::string> List(const std::vector<std::string>& paths) {
    std::vector<std::string> full;
    for (const std::string& path : paths) full.push_back(dir_.File(path));
    const Result<std::vector<ListedFile>> files = ListFiles(full);
    EXPECT_THAT(files, rowfeed::testing::IsOk());
    std::vector<std::string> names;
    if (!files.ok()) return names;
    for (const ListedFile& file : *files) {
      EXPECT_TRUE(std::filesystem::is_regular_file(file.path)) << file.path;
      EXPECT_TRUE(file.path.ends_with(file.name)) << file.path << " " << file.name;
      names.push_back(file.name);
    }
    return names;
  }

  TempDir dir_;
};

TEST_F(ListingTest, AGivenFileIsTakenWhateverItIsCalled) {
  Touch({"d/a.parquet", "_b", "c.tmp", "000000_0"});
  EXPECT_THAT(List({"_b", "d/a.parquet", "c.tmp", "000000_0"}),
              ElementsAre("_b", "a.parquet", "c.tmp", "000000_0"));
}

TEST_F(ListingTest, DirectoriesAreSearchedInByteOrder) {
  Touch({"d/b.parquet", "d/a/z.parquet", "d/a.parquet", "d/a0.parquet", "d/B.parquet",
         "d/part-0.snappy.parquet", "d/x.parq", "d/y.pq", "d/Z.PARQUET",
         "d/\xC3\xA9.parquet"});
  const std::vector<std::string> expected = {"B.parquet",
                                             "Z.PARQUET",
                                             "a.parquet",
                                             "a/z.parquet",
                                             "a0.parquet",
                                             "b.parquet",
                                             "part-0.snappy.parquet",
                                             "x.parq",
                                             "y.pq",
                                             "\xC3\xA9.parquet"};
  EXPECT_EQ(List({"d"}), expected);
  EXPECT_EQ(List({"d/"}), expected);
}

TEST_F(ListingTest, RootsKeepTheirOrderAndMayOverlap) {
  Touch({"b/1.parquet", "a/1.parquet", "a/0.parquet"});
  EXPECT_THAT(List({"b", "a", "a/1.parquet"}),
              ElementsAre("1.parquet", "0.parquet", "1.parquet", "1.parquet"));
}

// This test shows fault 34 of docs/reliability.md.
TEST_F(ListingTest, SkipsMarkersHiddenAndUnfinishedFiles) {
  Touch({"d/ok.parquet", "d/_SUCCESS", "d/_metadata", "d/_x.parquet", "d/.x.parquet",
         "d/.ok.parquet.crc", "d/ok.parquet.tmp", "d/n.parquet.inprogress",
         "d/README.md", "d/.git/a.parquet", "d/_temporary/a.parquet",
         "d/year=2020/a.parquet", "d/_year=2020/a.parquet", "d/c.parquet._COPYING_",
         "d/t.tmp/a.parquet"});
  EXPECT_THAT(List({"d"}),
              ElementsAre("_year=2020/a.parquet", "ok.parquet", "year=2020/a.parquet"));
  EXPECT_THAT(List({"d/*"}), ElementsAre("README.md", "_year=2020/a.parquet",
                                         "ok.parquet", "year=2020/a.parquet"));
  EXPECT_THAT(List({"d/o*"}), ElementsAre("ok.parquet"));
  EXPECT_THAT(List({"d/o*.tmp"}), ElementsAre("ok.parquet.tmp"));
  EXPECT_THAT(List({"d/_*/a.parquet"}),
              ElementsAre("_temporary/a.parquet", "_year=2020/a.parquet"));
}

TEST_F(ListingTest, SkipsWhatIsRetired) {
  Touch({"d/a.parquet", "d/.a.parquet.retired", "d/b.parquet", "d/c/a.parquet",
         "d/.gone.parquet.retired", "d/c/x.retired"});
  EXPECT_THAT(List({"d"}), ElementsAre("b.parquet", "c/a.parquet"));
  EXPECT_THAT(List({"d/*.parquet"}), ElementsAre("b.parquet"));
  EXPECT_THAT(List({"d/a.parquet"}), ElementsAre("a.parquet"));
}

TEST_F(ListingTest, Globs) {
  Touch({"d/a1.parquet", "d/a2.parquet", "d/b1.parquet", "d/s/a3.parquet",
         "d/s/t/a4.parquet", "d/x.csv"});
  EXPECT_THAT(List({"d/a*.parquet"}), ElementsAre("a1.parquet", "a2.parquet"));
  EXPECT_THAT(List({"d/?1.parquet"}), ElementsAre("a1.parquet", "b1.parquet"));
  EXPECT_THAT(List({"d/[!a]*.parquet"}), ElementsAre("b1.parquet"));
  EXPECT_THAT(List({"?/s/a*"}), ElementsAre("d/s/a3.parquet"));
  EXPECT_THAT(List({"d/**/a*.parquet"}), ElementsAre("a1.parquet", "a2.parquet",
                                                     "s/a3.parquet", "s/t/a4.parquet"));
  EXPECT_THAT(List({"d/**/**/t/*"}), ElementsAre("s/t/a4.parquet"));
  EXPECT_THAT(List({"d/**"}), ElementsAre("a1.parquet", "a2.parquet", "b1.parquet",
                                          "s/a3.parquet", "s/t/a4.parquet", "x.csv"));
}

TEST_F(ListingTest, ADirectoryThatAGlobMatchesIsSearched) {
  Touch({"d/x.parquet/part-0.parquet", "d/x.parquet/part-1.parquet",
         "d/x.parquet/log.txt"});
  EXPECT_THAT(List({"d/*.parquet"}),
              ElementsAre("x.parquet/part-0.parquet", "x.parquet/part-1.parquet"));
  EXPECT_THAT(List({"d/**/*.parquet"}),
              ElementsAre("x.parquet/part-0.parquet", "x.parquet/part-1.parquet"));
}

TEST_F(ListingTest, WhatHasTheVeryNameIsNoGlob) {
  Touch({"a[1].parquet", "a1.parquet", "d*/x.parquet", "de/y.parquet"});
  EXPECT_THAT(List({"a[1].parquet"}), ElementsAre("a[1].parquet"));
  EXPECT_THAT(List({"d*"}), ElementsAre("x.parquet"));
}

TEST_F(ListingTest, RelativePathsStayRelative) {
  Touch({"d/x.parquet"});
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.path());
  for (const char* path : {"d/x.parquet", "d", "d/*", "*/x.parquet", ".", "**"}) {
    const auto files = ListFiles({path});
    ROWFEED_EXPECT_OK(files);
    if (!files.ok()) continue;
    EXPECT_EQ(files->size(), 1u) << path;
    EXPECT_NE(files->front().path[0], '/');
    EXPECT_TRUE(std::filesystem::exists(files->front().path)) << files->front().path;
  }
  std::filesystem::current_path(before);
}

// This test shows fault 30 of docs/reliability.md.
TEST_F(ListingTest, NamesAreBytes) {
  const std::vector<std::string> names = {" ",
                                          "#",
                                          "%20",
                                          "-rf",
                                          "=",
                                          "?",
                                          "\n",
                                          "\xFF\xFE",
                                          "\xE6\x97\xA5\xE6\x9C\xAC",
                                          std::string(247, 'x')};
  std::vector<std::string> expected;
  for (const std::string& name : names) {
    Touch({"d/" + name + ".parquet"});
    expected.push_back(name + ".parquet");
    EXPECT_THAT(List({"d/" + name + ".parquet"}), ElementsAre(name + ".parquet"));
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(List({"d"}), expected);
  EXPECT_EQ(List({"d/*"}), expected);
}

// This test shows fault 31 of docs/reliability.md.
TEST_F(ListingTest, LinksAreFollowedButNotRoundInCircles) {
  Touch({"real/x.parquet", "d/y.parquet"});
  std::filesystem::create_symlink(dir_.File("real"), dir_.File("d/link"));
  std::filesystem::create_symlink(dir_.File("real/x.parquet"),
                                  dir_.File("d/z.parquet"));
  std::filesystem::create_symlink(dir_.File("d"), dir_.File("d/loop"));
  std::filesystem::create_symlink("itself", dir_.File("d/itself"));
  EXPECT_THAT(List({"d"}), ElementsAre("link/x.parquet", "y.parquet", "z.parquet"));
  EXPECT_THAT(List({"d/**/*.parquet"}),
              ElementsAre("link/x.parquet", "y.parquet", "z.parquet"));
}

TEST_F(ListingTest, NothingThereIsNotFound) {
  Touch({"empty/_SUCCESS", "f.parquet"});
  EXPECT_THAT(ListFiles({dir_.File("none")}),
              StatusIs(StatusCode::kNotFound, dir_.File("none") + ": No such file"));
  EXPECT_THAT(ListFiles({dir_.File("empty")}),
              StatusIs(StatusCode::kNotFound, dir_.File("empty") + ": no *.parquet"));
  EXPECT_THAT(
      ListFiles({dir_.File("n*.parquet")}),
      StatusIs(StatusCode::kNotFound, dir_.File("n*.parquet") + ": no file matches"));
  EXPECT_THAT(ListFiles({dir_.File("none/*.parquet")}),
              StatusIs(StatusCode::kNotFound, dir_.File("none/*.parquet")));
  EXPECT_THAT(ListFiles({dir_.File("f.parquet/*")}),
              StatusIs(StatusCode::kNotFound, "f.parquet/*"));
}

TEST_F(ListingTest, RefusesOtherPaths) {
  EXPECT_THAT(ListFiles({}), StatusIs(StatusCode::kInvalid, "no paths"));
  EXPECT_THAT(ListFiles({""}), StatusIs(StatusCode::kInvalid, "empty"));
  EXPECT_THAT(ListFiles({std::string("a\0b", 3)}),
              StatusIs(StatusCode::kInvalid, "NUL"));
  EXPECT_THAT(ListFiles({"ftp://name:secret@host/key?password=secret"}),
              StatusIs(StatusCode::kUnsupported, "ftp://host/key: scheme 'ftp'"));
  EXPECT_THAT(ListFiles({"s3:///key"}), StatusIs(StatusCode::kInvalid, "bucket"));
  EXPECT_THAT(ListFiles({"file://host/a"}), StatusIs(StatusCode::kInvalid, "no host"));
  EXPECT_THAT(ListFiles({"/dev/null"}),
              StatusIs(StatusCode::kInvalid, "/dev/null is a device"));
}

TEST_F(ListingTest, ANulByteInAUriShowsNoSecret) {
  const std::string nul(1, '\0');
  const auto files =
      ListFiles({"s3://AKID:hidden@b/x" + nul, "s3://AKID:hid" + nul + "den@b/x",
                 "s3://b/x?secret_key=hidden" + nul});
  EXPECT_THAT(files, StatusIs(StatusCode::kInvalid, "a NUL byte: s3://b/x…"));
  EXPECT_EQ(files.status().message().find("AKID"), std::string::npos);
  EXPECT_EQ(files.status().message().find("hid"), std::string::npos);
}

TEST_F(ListingTest, AnEncodedNulByteEndsNoPath) {
  Touch({"x.parquet"});
  for (const char* rest : {"x.parquet%00.secret", "%00/*"}) {
    EXPECT_THAT(ListFiles({"file://" + dir_.File(rest)}),
                StatusIs(StatusCode::kInvalid, "a NUL byte: file:///"));
  }
  EXPECT_THAT(ListFiles({"s3://b/x%00"}), StatusIs(StatusCode::kInvalid, "NUL"));
}

// This test shows fault 31 of docs/reliability.md.
TEST_F(ListingTest, RefusesWhatIsNotARegularFileByName) {
  Touch({"d/a.parquet"});
  ASSERT_EQ(::mkfifo(dir_.File("d/f.parquet").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(dir_.File("d/control").c_str(), 0600), 0);
  EXPECT_THAT(ListFiles({dir_.File("d")}),
              StatusIs(StatusCode::kInvalid, dir_.File("d/f.parquet") + " is a FIFO"));
  EXPECT_THAT(ListFiles({dir_.File("d/c*")}),
              StatusIs(StatusCode::kInvalid, "control is a FIFO"));
  EXPECT_THAT(ListFiles({dir_.File("d/control")}),
              StatusIs(StatusCode::kInvalid, "a FIFO"));
  std::filesystem::remove(dir_.File("d/f.parquet"));
  EXPECT_THAT(List({"d"}), ElementsAre("a.parquet"));
}

TEST_F(ListingTest, ABrokenLinkIsMissingData) {
  Touch({"d/a.parquet"});
  std::filesystem::create_symlink("nowhere", dir_.File("d/b.parquet"));
  EXPECT_THAT(ListFiles({dir_.File("d")}),
              StatusIs(StatusCode::kNotFound, "b.parquet: No such"));
}

TEST_F(ListingTest, WhatGoesWhileItIsListedIsNoError) {
  Touch({"d/stays.parquet", "d/p=stays/x.parquet"});
  std::atomic<bool> is_over = false;
  std::thread churn([&] {
    for (int i = 0; !is_over; i = (i + 1) % 50) {
      const std::string name = std::to_string(i);
      std::filesystem::remove_all(dir_.File("d/p=" + name));
      std::filesystem::remove(dir_.File("d/" + name + ".parquet"));
      Touch({"d/p=" + name + "/x.parquet", "d/" + name + ".parquet"});
    }
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (std::chrono::steady_clock::now() < end) {
    for (const char* path : {"d", "d/**", "d/*/*.parquet"}) {
      ROWFEED_EXPECT_OK(ListFiles({dir_.File(path)}));
    }
  }
  is_over = true;
  churn.join();
}

TEST_F(ListingTest, LinksInCirclesAreListedNoFurtherOnceCancelled) {
  constexpr int kNum = 8;
  for (int i = 0; i < kNum; ++i) {
    Touch({"d/" + std::to_string(i) + "/x.parquet"});
    for (int j = 0; j < kNum; ++j) {
      std::filesystem::create_symlink(
          "../" + std::to_string(j),
          dir_.File("d/" + std::to_string(i) + "/l" + std::to_string(j)));
    }
  }
  int asked = 0;
  const auto cancelled = [&] { return ++asked > 100; };
  for (const char* path : {"d", "d/**"}) {
    asked = 0;
    EXPECT_THAT(ListFiles({dir_.File(path), dir_.File("missing")}, cancelled),
                StatusIs(StatusCode::kCancelled, "listing was cancelled"));
    EXPECT_EQ(asked, 101) << path;
  }
}

TEST_F(ListingTest, AnUnreadableDirectoryIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every directory";
  Touch({"d/a.parquet", "d/s/b.parquet"});
  ASSERT_EQ(::chmod(dir_.File("d/s").c_str(), 0), 0);
  EXPECT_THAT(ListFiles({dir_.File("d")}), StatusIs(StatusCode::kPermission, "d/s: "));
  ASSERT_EQ(::chmod(dir_.File("d/s").c_str(), 0700), 0);
}

TEST_F(ListingTest, ReportsAllThatIsWrong) {
  Touch({"ok.parquet"});
  std::vector<std::string> paths = {dir_.File("ok.parquet")};
  for (int i = 0; i < 8; ++i) paths.push_back(dir_.File("missing" + std::to_string(i)));
  const auto files = ListFiles(paths);
  EXPECT_THAT(files, StatusIs(StatusCode::kNotFound, "8 problems:"));
  EXPECT_THAT(files, StatusIs(StatusCode::kNotFound, "missing4: No such"));
  EXPECT_THAT(files, StatusIs(StatusCode::kNotFound, "\n  and 3 more"));
  EXPECT_EQ(files.status().message().find("missing5"), std::string::npos);
}

TEST_F(ListingTest, DeepDirectories) {
  std::string path;
  for (int i = 0; i < 100; ++i) path += "d/";
  Touch({path + "x.parquet"});
  EXPECT_THAT(List({"d"}), ElementsAre((path + "x.parquet").substr(2)));
}

}  // namespace
}  // namespace rowfeed
