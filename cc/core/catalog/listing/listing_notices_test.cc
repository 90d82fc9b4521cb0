// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include "core/catalog/listing/listing.h"
#include "core/catalog/listing/notices.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;
using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;

class ListingNoticesTest : public ::testing::Test {
 protected:
  void Touch(const std::vector<std::string>& names) {
    for (const std::string& name : names) WriteBytes(dir_.File(name), "");
  }

  TempDir dir_;
};

TEST_F(ListingNoticesTest, NoticesFilesOfNearlyTheNamesOfParquet) {
  Touch({"d/a.parquet", "d/b.parquet.gzip", "d/s/c.parquet_1", "d/_SUCCESS",
         "d/a.parquet.crc", "d/.d.parquet.gz", "d/x.json"});
  Notices notices;
  ROWFEED_EXPECT_OK(ListFiles({dir_.File("d"), dir_.File("d")}, {}, &notices));
  ASSERT_EQ(notices.sentences.size(), 2U);
  EXPECT_THAT(notices.sentences[0],
              ::testing::AllOf(::testing::StartsWith("2 files are left out"),
                               ::testing::HasSubstr(dir_.File("d/b.parquet.gzip, ")),
                               ::testing::HasSubstr(dir_.File("d/s/c.parquet_1;"))));
  std::filesystem::remove(dir_.File("d/a.parquet"));
  EXPECT_THAT(ListFiles({dir_.File("d")}),
              StatusIs(StatusCode::kNotFound, "but files of other names: "));
}

TEST_F(ListingNoticesTest, NoticesFilesThatAreListedTwice) {
  Touch({"d/a.parquet", "d/b.parquet", "d/c.parquet", "e/d.parquet"});
  std::filesystem::create_symlink(dir_.File("d/a.parquet"), dir_.File("e/l.parquet"));
  Notices notices;
  ROWFEED_EXPECT_OK(ListFiles({dir_.File("d"), dir_.File("d/b.parquet"), dir_.File("e"),
                               dir_.File("d/b.parquet")},
                              {}, &notices));
  ASSERT_EQ(notices.sentences.size(), 1U);
  EXPECT_THAT(
      notices.sentences[0],
      ::testing::AllOf(::testing::StartsWith("2 files are listed more than once"),
                       ::testing::HasSubstr("(3 of 7 files"),
                       ::testing::HasSubstr(dir_.File("d/a.parquet, ")),
                       ::testing::HasSubstr(dir_.File("d/b.parquet;"))));
  notices = {};
  ROWFEED_EXPECT_OK(
      ListFiles({dir_.File("d"), dir_.File("e/d.parquet")}, {}, &notices));
  EXPECT_EQ(notices.sentences.size(), 0U);
}

}  // namespace
}  // namespace rowfeed
