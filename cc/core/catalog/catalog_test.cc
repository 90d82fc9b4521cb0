// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/catalog.h"

#include <sys/resource.h>

#include <filesystem>
#include <string>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using arrow::field;
using rowfeed::testing::Int64Table;
using rowfeed::testing::ParquetBytes;
using rowfeed::testing::ReadBytes;
using rowfeed::testing::StatusIs;
using rowfeed::testing::TableOf;
using rowfeed::testing::TempDir;
using rowfeed::testing::TestColumn;
using rowfeed::testing::WriteBytes;
using rowfeed::testing::WriteParquet;
using ::testing::ElementsAre;

using Names = std::vector<std::string>;
using CatalogPtr = std::shared_ptr<const Catalog>;

class CatalogTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::vector<TestColumn>& columns) {
    WriteParquet(dir_.File(name), *TableOf(columns));
  }
  Result<CatalogPtr> Open(const std::optional<Names>& columns = std::nullopt,
                          int num_threads = 2) {
    return Catalog::Open({dir_.path()}, columns, num_threads);
  }
  Names ColumnNames(const Catalog& catalog) {
    Names names;
    for (const Column& column : catalog.columns()) names.push_back(column.name);
    return names;
  }

  TempDir dir_;
};

TEST_F(CatalogTest, HoldsFilesRowGroupsAndColumns) {
  WriteParquet(dir_.File("b.parquet"), *Int64Table({"x", "y"}, 10),
               {.row_group_rows = 4});
  WriteParquet(dir_.File("a.parquet"), *Int64Table({"x", "y"}, 3));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open());
  ASSERT_EQ(catalog->files().size(), 2u);
  EXPECT_EQ(catalog->files()[0].name, "a.parquet");
  EXPECT_EQ(catalog->files()[1].path, dir_.File("b.parquet"));
  EXPECT_EQ(catalog->files()[1].size,
            std::filesystem::file_size(dir_.File("b.parquet")));
  EXPECT_THAT(*catalog->group_rows(), ElementsAre(3, 4, 4, 2));
  EXPECT_EQ(catalog->num_rows(), 13);
  EXPECT_EQ(catalog->row_groups()[3].file, 1);
  EXPECT_EQ(catalog->row_groups()[3].index, 2);
  EXPECT_THAT(ColumnNames(*catalog), ElementsAre("x", "y"));
  EXPECT_EQ(catalog->chunk(3, 1).num_values, 2);
  EXPECT_EQ(catalog->Where(3, 1), dir_.File("b.parquet") + ", row group 2, column 'y'");
}

TEST_F(CatalogTest, ReadsNoMoreFootersOnceCancelled) {
  // Files: listing a directory would call `cancelled` as well.
  std::vector<std::string> paths;
  for (const char* name : {"a.parquet", "b.parquet", "c.parquet"}) {
    paths.push_back(dir_.File(name));
    WriteParquet(paths.back(), *Int64Table({"x"}, 3));
  }
  int asked = 0;
  EXPECT_THAT(Catalog::Open(paths, std::nullopt, /*num_threads=*/1,
                            [&] { return ++asked > 1; }),
              StatusIs(StatusCode::kCancelled, "opening was cancelled"));
  EXPECT_EQ(asked, 2);  // nothing was asked about the third file
}

TEST_F(CatalogTest, ProjectionTakesTheOrderAsked) {
  WriteParquet(dir_.File("a.parquet"), *Int64Table({"x", "y", "z"}, 3));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto all, Open());
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto some, Open(Names{"z", "x"}));
  EXPECT_THAT(ColumnNames(*some), ElementsAre("z", "x"));
  EXPECT_EQ(some->chunk(0, 0).offset, all->chunk(0, 2).offset);
  EXPECT_EQ(*some->ColumnIndex("x"), 1);
  EXPECT_THAT(
      some->ColumnIndex("y"),
      StatusIs(StatusCode::kKey, "there is no column 'y'; the columns are 'z', 'x'"));
  EXPECT_EQ(some->fingerprint(), all->fingerprint());
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto none, Open(Names{}));
  EXPECT_EQ(none->num_rows(), 3);
  EXPECT_EQ(none->fingerprint(), all->fingerprint());
}

// Files differ in every way that a layout knows, and only one of them has nulls.
TEST_F(CatalogTest, ProjectedItIsTheCatalogOpenedWithTheNames) {
  const auto s = arrow::struct_({field("a", arrow::int8()), field("b", arrow::utf8())});
  Write("k=1/a.parquet", {{field("x", arrow::int32()), "[1]"},
                          {field("odd", arrow::null()), "[null]"},
                          {field("s", s), R"([{"a": 1, "b": "p"}])"},
                          {field("y", arrow::list(arrow::float32())), "[[1, 2]]"}});
  Write("k=2/b.parquet", {{field("y", arrow::list(arrow::float32())), "[null, [3]]"},
                          {field("x", arrow::int64()), "[2, 3]"},
                          {field("odd", arrow::null()), "[null, null]"}});
  Write("k=2/c.parquet", {{field("x", arrow::int32(), false), "[4]"},
                          {field("s", arrow::null()), "[null]"},
                          {field("z", arrow::utf8()), R"(["q"])"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto all, Open());
  for (const Names& names :
       {Names{"y", "x"}, Names{"s", "k"}, Names{"s.b", "__file", "x"}, Names{"k"},
        Names{"*"}, Names{"y", "*"}, Names{}}) {
    SCOPED_TRACE(::testing::PrintToString(names));
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto opened, Open(names));
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto projected, Catalog::Project(all, names));
    EXPECT_EQ(projected->Serialize(), opened->Serialize());
    EXPECT_EQ(projected->fingerprint(), all->fingerprint());
  }
  EXPECT_THAT(Catalog::Project(all, {"z"}), StatusIs(StatusCode::kKey, "column 'z'"));
  EXPECT_THAT(Catalog::Project(all, {"odd"}),
              StatusIs(StatusCode::kUnsupported, "nulls without a type"));
  EXPECT_THAT(Catalog::Project(all, {"x", "x"}),
              StatusIs(StatusCode::kInvalid, "asked for twice"));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto some, Catalog::Project(all, {"x", "y"}));
  EXPECT_EQ(*Catalog::Project(some, {"x", "y"}), some);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto second, Catalog::Select(all, {1}));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto of_second, Catalog::Project(second, {"y"}));
  EXPECT_TRUE(of_second->is_selection());
  EXPECT_EQ(of_second->Serialize(),
            (*Catalog::Select(*Open(Names{"y"}), {1}))->Serialize());
}

TEST_F(CatalogTest, ColumnsThatCannotBeHad) {
  Write("a.parquet", {{field("x", arrow::int32()), "[1]"},
                      {field("s", arrow::struct_({field("f", arrow::null()),
                                                  field("g", arrow::int8())})),
                       "[null]"},
                      {field("d", arrow::int32()), "[1]"},
                      {field("d", arrow::int32()), "[1]"}});
  EXPECT_THAT(Open(Names{"q"}),
              StatusIs(StatusCode::kKey, "a.parquet: there is no column 'q'"));
  EXPECT_THAT(Open(Names{"s.h"}), StatusIs(StatusCode::kKey, "'s.h'"));
  ROWFEED_EXPECT_OK(Open(Names{"s.g"}));
  for (const std::string name : {"s", "s.f"}) {
    EXPECT_THAT(
        Open(Names{name}),
        StatusIs(StatusCode::kUnsupported,
                 "column 's.f' (null): nulls without a type are not supported"));
  }
  EXPECT_THAT(Open(Names{"d"}),
              StatusIs(StatusCode::kUnsupported, "2 columns have this name"));
  EXPECT_THAT(Open(Names{"x", "x"}), StatusIs(StatusCode::kInvalid, "asked for twice"));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto all, Open());
  EXPECT_EQ(all->columns().size(), 5u);
  EXPECT_THAT(all->ColumnIndex("s.f"), StatusIs(StatusCode::kUnsupported, "nulls"));
  EXPECT_EQ(*all->ColumnIndex("x"), 0);
}

// This test shows fault 6 of docs/reliability.md.
TEST_F(CatalogTest, MoreColumnsAndAnotherOrderAreFine) {
  Write("a.parquet",
        {{field("x", arrow::int32()), "[1]"}, {field("y", arrow::utf8()), "[null]"}});
  Write("b.parquet", {{field("z", arrow::boolean()), "[true, null]"},
                      {field("y", arrow::large_utf8()), R"(["p", "q"])"},
                      {field("x", arrow::int32(), false), "[2, 3]"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open());
  EXPECT_THAT(ColumnNames(*catalog), ElementsAre("x", "y"));
  EXPECT_EQ(catalog->storage(0, 0).max_definition_level, 1);
  EXPECT_EQ(catalog->storage(1, 0).max_definition_level, 0);
  EXPECT_EQ(catalog->storage(1, 1).max_definition_level, 1);
  EXPECT_EQ(catalog->columns()[0].storage.max_definition_level, 1);
  EXPECT_GT(catalog->chunk(1, 0).offset, catalog->chunk(1, 1).offset);
}

// This test shows fault 1 of docs/reliability.md.
TEST_F(CatalogTest, ReportsAllBadFiles) {
  Write("a.parquet", {{field("x", arrow::int32()), "[1]"}});
  const std::string good = ReadBytes(dir_.File("a.parquet"));
  WriteBytes(dir_.File("b.parquet"), good.substr(0, good.size() / 2));
  WriteBytes(dir_.File("c.parquet"), "a,b,c");
  WriteBytes(dir_.File("d.parquet"), good);
  const auto catalog = Open();
  EXPECT_THAT(catalog, StatusIs(StatusCode::kCorrupt,
                                "2 problems:\n  " + dir_.File("b.parquet")));
  EXPECT_THAT(catalog, StatusIs(StatusCode::kCorrupt,
                                dir_.File("c.parquet") + " is not a Parquet"));
  WriteBytes(dir_.File("a.parquet"), "");
  EXPECT_THAT(Open(), StatusIs(StatusCode::kInvalid,
                               "3 problems:\n  " + dir_.File("a.parquet")));
}

TEST_F(CatalogTest, FingerprintKnowsDataNotPlaceNorThreads) {
  TempDir other;
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::to_string(i) + ".parquet";
    WriteParquet(dir_.File(name), *Int64Table({"x"}, i + 1));
    WriteParquet(other.File(name), *Int64Table({"x"}, i + 1));
  }
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto here, Open(std::nullopt, 1));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto threads, Open(std::nullopt, 8));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto there,
                               Catalog::Open({other.path()}, std::nullopt, 3));
  EXPECT_EQ(here->fingerprint().size(), 32u);
  EXPECT_EQ(here->fingerprint(), threads->fingerprint());
  EXPECT_EQ(here->Serialize(), threads->Serialize());
  EXPECT_EQ(here->fingerprint(), there->fingerprint());
  std::filesystem::rename(other.File("0.parquet"), other.File("x.parquet"));
  EXPECT_NE((*Catalog::Open({other.path()}, std::nullopt, 3))->fingerprint(),
            here->fingerprint());
  WriteParquet(dir_.File("3.parquet"), *Int64Table({"x"}, 5));
  EXPECT_NE((*Open())->fingerprint(), here->fingerprint());
}

TEST_F(CatalogTest, ReopensFilesWhateverElseThereIsNow) {
  Write("a/1.parquet", {{field("x", arrow::int32()), "[1, 2]"}});
  Write("b.parquet", {{field("x", arrow::int32()), "[3]"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open());
  Write("a/2.parquet", {{field("x", arrow::int32()), "[4]"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto again,
                               Catalog::Reopen(catalog->files(), Names{"x"}, 2));
  EXPECT_EQ(again->Serialize(), catalog->Serialize());
  EXPECT_THAT(Catalog::Reopen({}, std::nullopt, 2), StatusIs(StatusCode::kInvalid, ""));
}

TEST_F(CatalogTest, RoundTripOfRealFiles) {
  Write("a.parquet",
        {{field("x", arrow::int32()), "[1, null]"},
         {field("l", arrow::list(arrow::float32())), "[[1, 2, 3], null]"}});
  Write("b.parquet", {{field("x", arrow::int32(), false), "[3]"},
                      {field("l", arrow::list(arrow::float32())), "[[]]"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open());
  EXPECT_EQ(catalog->chunk(0, 1).num_values, 4);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto parsed, Catalog::Parse(catalog->Serialize()));
  EXPECT_EQ(parsed->Serialize(), catalog->Serialize());
  EXPECT_EQ(parsed->fingerprint(), catalog->fingerprint());
}

TEST_F(CatalogTest, FilesWithoutRows) {
  Write("a.parquet", {{field("x", arrow::int32()), "[]"}});
  Write("b.parquet", {{field("x", arrow::int32()), "[1, 2]"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open());
  EXPECT_EQ(catalog->num_rows(), 2);
  EXPECT_EQ(catalog->files().size(), 2u);
}

TEST_F(CatalogTest, NeedsFewDescriptors) {
  for (int i = 0; i < 100; ++i) {
    WriteParquet(dir_.File(std::to_string(i) + ".parquet"), *Int64Table({"x"}, 1));
  }
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{32, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto catalog = Open(std::nullopt, 8);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ROWFEED_ASSERT_OK(catalog);
  EXPECT_EQ((*catalog)->num_rows(), 100);
}

TEST_F(CatalogTest, DamagedFilesNeverCrash) {
  const std::string bytes = ParquetBytes(
      *TableOf({{field("x", arrow::int32()), "[1, null]"},
                {field("l", arrow::list(arrow::float32())), "[[1, 2, 3], null]"},
                {field("s", arrow::utf8()), R"(["a", "b"])"}}));
  const std::string path = dir_.File("a.parquet");
  int refused = 0;
  for (size_t i = 0; i < bytes.size(); i += 7) {
    WriteBytes(path, bytes.substr(0, i));
    EXPECT_THAT(Open(std::nullopt, 1), ::testing::Not(rowfeed::testing::IsOk()));
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    WriteBytes(path, damaged);
    const auto catalog = Open(std::nullopt, 1);
    if (!catalog.ok()) {
      ++refused;
      EXPECT_THAT(catalog.status().message(), ::testing::HasSubstr(path));
    } else {
      ROWFEED_EXPECT_OK(Catalog::Parse((*catalog)->Serialize()));
    }
  }
  EXPECT_GT(refused, 10);
}

// Opens the Parquet project's own test files. Each gives a catalog that its codec
// writes and reads unchanged, or an error that names the file.
TEST(ParquetTestingTest, EveryFileGivesACatalogOrACleanError) {
  const char* folder = std::getenv("ROWFEED_PARQUET_TESTING");
  if (folder == nullptr)
    GTEST_SKIP() << "ROWFEED_PARQUET_TESTING does not name the folder";
  int opened = 0;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    ++files;
    const auto catalog = Catalog::Open({path}, std::nullopt, 1);
    if (catalog.ok()) {
      ++opened;
      ROWFEED_ASSERT_OK_AND_ASSIGN(const auto parsed,
                                   Catalog::Parse((*catalog)->Serialize()));
      EXPECT_EQ(parsed->Serialize(), (*catalog)->Serialize()) << path;
    } else {
      EXPECT_THAT(catalog.status().message(), ::testing::HasSubstr(path));
      EXPECT_NE(catalog.status().code(), StatusCode::kInternal);
    }
  }
  EXPECT_GT(files, 0);
  EXPECT_GT(opened, files / 2);
}

}  // namespace
}  // namespace rowfeed
