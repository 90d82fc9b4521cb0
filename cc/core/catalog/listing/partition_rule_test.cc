// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/partition_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/catalog/listing/listing.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::StatusIs;
using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;
using ::testing::ElementsAre;
using From = PartitionRule::From;

TEST(PartitionRuleTest, PartitionsAreDirectories) {
  EXPECT_EQ(PartitionsIn("a/year=2024/b/city=Oslo/x=1.parquet"),
            "year=2024/city=Oslo/");
  EXPECT_EQ(PartitionsIn("=1/x"), "");
  EXPECT_EQ(PartitionsIn("k=1=2/x"), "k=1=2/");
  EXPECT_EQ(PartitionsIn("x=1"), "");
}

TEST(PartitionRuleTest, TheRunAtTheEndIsUnbroken) {
  EXPECT_EQ(PartitionsAtEnd("/t/year=2024/month=1"), "year=2024/month=1/");
  EXPECT_EQ(PartitionsAtEnd("year=2024//"), "year=2024/");
  EXPECT_EQ(PartitionsAtEnd("/run=3/files"), "");
  EXPECT_EQ(PartitionsAtEnd("/run=3/files/k=1/"), "k=1/");
  EXPECT_EQ(PartitionsAtEnd("/"), "");
  EXPECT_EQ(PartitionsAtEnd(""), "");
}

TEST(PartitionRuleTest, PathsBelowABase) {
  EXPECT_EQ(PathBelow("/a/b/c", "/a", true), "b/c");
  EXPECT_EQ(PathBelow("/a//b/./c", "/a/", true), "b/c");
  EXPECT_EQ(PathBelow("/ab/c", "/a", true), std::nullopt);
  EXPECT_EQ(PathBelow("/a", "/a", true), std::nullopt);
  EXPECT_EQ(PathBelow("a/b", std::filesystem::current_path().string(), true), "a/b");
  EXPECT_EQ(PathBelow("k/x", "", false), "k/x");
  EXPECT_EQ(PathBelow("/a/b", "/", true), "a/b");
}

class ListedPartitionsTest : public ::testing::Test {
 protected:
  ListedPartitionsTest() {
    for (const char* name :
         {"run=3/t/year=1/x.parquet", "run=3/t/year=2/sub/y.parquet"}) {
      WriteBytes(dir_.File(name), "");
    }
  }
  std::vector<std::string> List(const std::vector<std::string>& paths,
                                const PartitionRule& rule) {
    std::vector<std::string> full;
    for (const std::string& path : paths) full.push_back(dir_.File(path));
    const auto files = ListFiles(full, {}, nullptr, rule);
    EXPECT_THAT(files, rowfeed::testing::IsOk());
    std::vector<std::string> partitions;
    if (!files.ok()) return partitions;
    for (const ListedFile& file : *files) partitions.push_back(file.partitions);
    return partitions;
  }

  TempDir dir_;
};

TEST_F(ListedPartitionsTest, OfADirectoryThoseBelowIt) {
  EXPECT_THAT(List({"run=3/t"}, {}), ElementsAre("year=1/", "year=2/"));
  EXPECT_THAT(List({"run=3/t/year=1"}, {}), ElementsAre(""));
  EXPECT_THAT(List({"run=3"}, {}), ElementsAre("year=1/", "year=2/"));
}

TEST_F(ListedPartitionsTest, OfDirectoriesOneByOneAlsoTheirOwn) {
  const PartitionRule each{From::kListedEach, ""};
  EXPECT_THAT(List({"run=3/t/year=2", "run=3/t/year=1"}, each),
              ElementsAre("year=2/", "year=1/"));
  EXPECT_THAT(List({"run=3/t"}, each), ElementsAre("year=1/", "year=2/"));
  EXPECT_THAT(List({"run=3"}, each), ElementsAre("run=3/year=1/", "run=3/year=2/"));
}

TEST_F(ListedPartitionsTest, OfFilesAndGlobsTheWholePath) {
  EXPECT_THAT(List({"run=3/t/year=2/sub/y.parquet"}, {}), ElementsAre("run=3/year=2/"));
  EXPECT_THAT(List({"run=3/t/*"}, {}), ElementsAre("run=3/year=1/", "run=3/year=2/"));
}

TEST_F(ListedPartitionsTest, ABaseDecidesForAll) {
  const PartitionRule base{From::kBase, dir_.File("run=3/t")};
  EXPECT_THAT(List({"run=3/t/year=1/x.parquet", "run=3/t/year=2", "run=3"}, base),
              ElementsAre("year=1/", "year=2/", "year=1/", "year=2/"));
  const PartitionRule above{From::kBase, dir_.path()};
  EXPECT_THAT(List({"run=3/t"}, above), ElementsAre("run=3/year=1/", "run=3/year=2/"));
  const PartitionRule below{From::kBase, dir_.File("run=3/t/year=1")};
  EXPECT_THAT(ListFiles({dir_.File("run=3/t")}, {}, nullptr, below),
              StatusIs(StatusCode::kInvalid, "year=2/sub/y.parquet is not below"));
  const PartitionRule elsewhere{From::kBase, "s3://bucket/t"};
  EXPECT_THAT(ListFiles({dir_.File("run=3/t")}, {}, nullptr, elsewhere),
              StatusIs(StatusCode::kInvalid, "is not below s3://bucket/t"));
}

TEST_F(ListedPartitionsTest, NowhereMeansNone) {
  const PartitionRule nowhere{From::kNowhere, ""};
  EXPECT_THAT(List({"run=3/t", "run=3/t/year=1/x.parquet"}, nowhere),
              ElementsAre("", "", ""));
}

}  // namespace
}  // namespace rowfeed
