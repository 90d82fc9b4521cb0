// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/data_paths.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using rowfeed::testing::TempDir;
using rowfeed::testing::WriteBytes;

TEST(DataPathsTest, FilesOfADirectoryAreBelowIt) {
  for (const char* root : {"/data", "/data/", "/data//"}) {
    DataPaths paths({root});
    EXPECT_TRUE(paths.Have("/data/x.parquet"));
    EXPECT_TRUE(paths.Have("/data/a/b/x.parquet"));
    EXPECT_TRUE(paths.Have("/data"));
    EXPECT_TRUE(paths.Have("/data/a/..b/x..parquet"));
    EXPECT_FALSE(paths.Have("/database/x.parquet"));
    EXPECT_FALSE(paths.Have("/etc/passwd"));
    EXPECT_FALSE(paths.Have("data/x.parquet"));
    EXPECT_FALSE(paths.Have("/data/../etc/passwd"));
    EXPECT_FALSE(paths.Have("/data/a/../../etc/passwd"));
    EXPECT_FALSE(paths.Have(""));
    EXPECT_FALSE(paths.Have(std::string("/data/x\0.parquet", 16)));
  }
  EXPECT_TRUE(DataPaths({"/"}).Have("/x.parquet"));
}

TEST(DataPathsTest, RelativePathsAreThoseOfTheWorkingDirectory) {
  const std::string here = std::filesystem::current_path().string();
  DataPaths paths({"data"});
  EXPECT_TRUE(paths.Have("data/x.parquet"));
  EXPECT_TRUE(paths.Have(here + "/data/x.parquet"));
  EXPECT_FALSE(paths.Have("data/../x.parquet"));
  EXPECT_FALSE(paths.Have("x.parquet"));
  EXPECT_TRUE(DataPaths({here + "/data"}).Have("data/x.parquet"));
  EXPECT_TRUE(DataPaths({"../data"}).Have("../data/x.parquet"));
  EXPECT_FALSE(DataPaths({"../data"}).Have("../data/../x.parquet"));
  EXPECT_TRUE(DataPaths({"*.parquet"}).Have("x.parquet"));
  EXPECT_FALSE(DataPaths({"*.parquet"}).Have("/etc/passwd"));
  EXPECT_FALSE(DataPaths({"*.parquet"}).Have("../x.parquet"));
}

TEST(DataPathsTest, AGlobStandsForTheDirectoryBeforeIt) {
  DataPaths paths({"/data/year=*/[ab].parquet", "/other/one.parquet"});
  EXPECT_TRUE(paths.Have("/data/year=1/a.parquet"));
  EXPECT_FALSE(paths.Have("/x/year=1/a.parquet"));
  EXPECT_TRUE(paths.Have("/other/one.parquet"));
  EXPECT_FALSE(paths.Have("/other/two.parquet"));
}

TEST(DataPathsTest, AnotherStoreIsNotThatOfTheData) {
  DataPaths paths({"s3://bucket/train?region=eu"});
  EXPECT_TRUE(paths.Have("s3://bucket/train/x.parquet?region=eu"));
  EXPECT_FALSE(paths.Have("s3://bucket/train/x.parquet"));
  EXPECT_FALSE(paths.Have("s3://bucket/other/x.parquet?region=eu"));
  EXPECT_FALSE(paths.Have("s3://bucket/train/../x.parquet?region=eu"));
  EXPECT_FALSE(paths.Have("s3://bucket/train/%2E%2E/x.parquet?region=eu"));
  EXPECT_FALSE(paths.Have("s3://mine/train/x.parquet?region=eu"));
  EXPECT_FALSE(
      paths.Have("s3://bucket/train/x.parquet?region=eu&endpoint_override=evil"));
  EXPECT_FALSE(paths.Have("gs://bucket/train/x.parquet?region=eu"));
  EXPECT_FALSE(paths.Have("/train/x.parquet"));
  EXPECT_FALSE(DataPaths({"/train"}).Have("s3://bucket/train/x.parquet"));
  EXPECT_TRUE(DataPaths({"s3://bucket"}).Have("s3://bucket/x.parquet"));
  EXPECT_TRUE(DataPaths({"s3://b/a%20b"}).Have("s3://b/a%20b/x.parquet"));
  EXPECT_TRUE(DataPaths({"file:///data"}).Have("/data/x.parquet"));
  EXPECT_TRUE(DataPaths({"/data"}).Have("file:///data/x.parquet"));
}

TEST(DataPathsTest, LinksToTheSameDirectoryAreTheSame) {
  TempDir dir;
  WriteBytes(dir.File("data/x.parquet"), "");
  WriteBytes(dir.File("secret/y.parquet"), "");
  std::filesystem::create_directory_symlink(dir.File("data"), dir.File("link"));
  EXPECT_TRUE(DataPaths({dir.File("data")}).Have(dir.File("link/x.parquet")));
  EXPECT_TRUE(DataPaths({dir.File("link")}).Have(dir.File("data/x.parquet")));
  EXPECT_TRUE(DataPaths({dir.File("link")}).Have(dir.File("data/gone.parquet")));
  EXPECT_TRUE(DataPaths({dir.File("link/x.parquet")}).Have(dir.File("data/x.parquet")));
  EXPECT_FALSE(DataPaths({dir.File("link")}).Have(dir.File("secret/y.parquet")));
  EXPECT_FALSE(
      DataPaths({dir.File("link")}).Have(dir.File("link/../secret/y.parquet")));
}

// Each file was compared with each path, and the links of both were resolved each time:
// a thousand files took ten seconds, and these would take an hour.
TEST(DataPathsTest, ManyFilesWereComparedWithManyPaths) {
  constexpr int kFiles = 20000;
  std::vector<std::string> files;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back("/data/hour=" + std::to_string(i) + "/x.parquet");
  }
  DataPaths paths(files);
  for (const std::string& file : files) EXPECT_TRUE(paths.Have(file));
  EXPECT_FALSE(paths.Have("/data/hour=0/y.parquet"));
  EXPECT_FALSE(paths.Have("/data"));
}

}  // namespace
}  // namespace rowfeed
