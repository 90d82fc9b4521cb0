// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/table_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/catalog/listing/listing.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::IsOk;
using rowfeed::testing::StatusIs;
using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;

class TableFormatTest : public ::testing::Test {
 protected:
  void Touch(const std::vector<std::string>& names) {
    for (const std::string& name : names) WriteBytes(dir_.File(name), "");
  }
  Result<std::vector<ListedFile>> List(const std::string& path) {
    return ListFiles({dir_.File(path)});
  }
  void ExpectRefused(const std::string& path, const std::string& table,
                     const std::string& format) {
    EXPECT_THAT(
        List(path),
        StatusIs(StatusCode::kUnsupported,
                 dir_.File(table) + ": the folder belongs to a table of " + format))
        << path;
  }

  TempDir dir_;
};

TEST_F(TableFormatTest, EachFormatIsKnownByItsLog) {
  Touch({"d/_delta_log/0.json", "d/x.parquet", "i/metadata/v1.metadata.json",
         "i/data/x.parquet", "z/metadata/00001-a.gz.metadata.json", "z/data/x.parquet",
         "h/.hoodie/hoodie.properties", "h/2024/x.parquet", "p/snapshot/snapshot-1",
         "p/schema/schema-0", "p/bucket-0/x.parquet"});
  ExpectRefused("d", "d", "Delta");
  ExpectRefused("i", "i", "Iceberg");
  ExpectRefused("z", "z", "Iceberg");
  ExpectRefused("h", "h", "Hudi");
  ExpectRefused("p", "p", "Paimon");
}

TEST_F(TableFormatTest, ATableIsFoundAboveTheWorkingDirectory) {
  Touch({"t/_delta_log/0.json", "t/k=1/x.parquet"});
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.File("t/k=1"));
  for (const char* path : {".", "./", "*.parquet", "../k=1"}) {
    EXPECT_THAT(ListFiles({path}), StatusIs(StatusCode::kUnsupported, "Delta")) << path;
  }
  std::filesystem::current_path(before);
}

TEST_F(TableFormatTest, ABucketIsAPartOfATableOfPaimon) {
  Touch({"p/snapshot/snapshot-1", "p/schema/schema-0", "p/bucket-0/x.parquet",
         "p/k=1/bucket-0/x.parquet"});
  ExpectRefused("p/bucket-0", "p", "Paimon");
  ExpectRefused("p/k=1/bucket-0", "p", "Paimon");
}

TEST_F(TableFormatTest, ATableIsFoundBelowAndOnTheWayOfAGlob) {
  Touch({"lake/t/_delta_log/0.json", "lake/t/x.parquet", "lake/t/k=1/x.parquet",
         "lake/a.parquet"});
  for (const char* path : {"lake", "lake/*", "lake/**", "lake/t/*.parquet", "lake/?",
                           "lake/**/*.parquet", "lake/*/k=*/x.parquet"}) {
    ExpectRefused(path, "lake/t", "Delta");
  }
}

TEST_F(TableFormatTest, APartOfATableIsRefusedAsTheTableIs) {
  Touch({"d/_delta_log/0.json", "d/a=1/b=2/x.parquet", "i/metadata/v1.metadata.json",
         "i/data/a=1/x.parquet", "h/.hoodie/x", "h/2024/.hoodie_partition_metadata",
         "h/2024/x.parquet"});
  for (const char* path : {"d/a=1", "d/a=1/", "d/a=1/b=2", "d/a=1/*/x.parquet"}) {
    ExpectRefused(path, "d", "Delta");
  }
  for (const char* path : {"i/data", "i/data/a=1", "i/data/a=1/*"}) {
    ExpectRefused(path, "i", "Iceberg");
  }
  ExpectRefused("h/2024", "h/2024", "Hudi");
}

TEST_F(TableFormatTest, TheFilesOfATableMayBeGiven) {
  Touch({"d/_delta_log/0.json", "d/a=1/x.parquet", "d/y.parquet"});
  const auto files =
      ListFiles({dir_.File("d/y.parquet"), dir_.File("d/a=1/x.parquet")});
  ASSERT_THAT(files, IsOk());
  EXPECT_EQ(files->size(), 2U);
}

TEST_F(TableFormatTest, FoldersOfLikeNamesAreNoTables) {
  Touch({"a/metadata/notes.json", "a/metadata/m.parquet", "a/_metadata",
         "a/_common_metadata", "a/data/x.parquet", "a/snapshot/x.parquet",
         "a/schema/v1.json", "a/_delta_log", "a/.hoodie", "a/k=1/y.parquet"});
  for (const char* path : {"a", "a/data", "a/k=1", "a/**/*.parquet"}) {
    EXPECT_THAT(List(path), IsOk()) << path;
  }
}

TEST_F(TableFormatTest, EachTableIsNamedOnce) {
  Touch({"lake/t/_delta_log/0.json", "lake/t/k=1/x.parquet", "lake/t/k=2/x.parquet"});
  const auto files = ListFiles({dir_.File("lake/t/k=1"), dir_.File("lake/t/k=2")});
  EXPECT_THAT(files, StatusIs(StatusCode::kUnsupported, "lake/t: the folder"));
  EXPECT_EQ(files.status().message().find("problems"), std::string::npos);
}

}  // namespace
}  // namespace rowfeed
