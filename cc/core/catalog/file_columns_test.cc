// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/file_columns.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "core/catalog/catalog.h"
#include "core/catalog/file_types.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using arrow::field;
using rowfeed::testing::StatusIs;
using rowfeed::testing::TableOf;
using rowfeed::testing::TempDir;
using rowfeed::testing::TestColumn;
using rowfeed::testing::WriteParquet;

using Names = std::vector<std::string>;

// Tests with files that differ in their columns.
class FileColumnsTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::vector<TestColumn>& columns) {
    WriteParquet(dir_.File(name), *TableOf(columns));
  }
  Result<std::shared_ptr<const Catalog>> Open(
      const std::optional<Names>& columns = std::nullopt) {
    return Catalog::Open({dir_.path()}, columns, 2);
  }

  TempDir dir_;
};

TEST_F(FileColumnsTest, AMissingColumnIsADifference) {
  Write("a.parquet",
        {{field("x", arrow::int32()), "[1]"}, {field("y", arrow::int8()), "[1]"}});
  Write("b.parquet", {{field("x", arrow::int32()), "[1]"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open());
  EXPECT_EQ(catalog->layout(0).differences.size(), 0u);
  EXPECT_EQ(catalog->constant(0, 1), std::nullopt);
  ASSERT_EQ(catalog->layout(1).differences.size(), 1u);
  EXPECT_EQ(catalog->layout(1).differences[0].column, 1);
  ASSERT_NE(catalog->constant(1, 1), std::nullopt);
  EXPECT_EQ(catalog->constant(1, 1)->plain_value, std::nullopt);
  EXPECT_EQ(catalog->chunk(1, 1).size, 0);
  EXPECT_EQ(catalog->storage(1, 1).max_definition_level, 2);
  EXPECT_EQ(TypesInFiles(*catalog, 1), "'y' is int8 in " + dir_.File("a.parquet") +
                                           ", missing in " + dir_.File("b.parquet"));
}

TEST_F(FileColumnsTest, AColumnIsWhatTheFirstFileThatHasItSays) {
  Write("a.parquet",
        {{field("x", arrow::int32()), "[1]"}, {field("y", arrow::null()), "[null]"}});
  for (const char* name : {"b.parquet", "c.parquet", "d.parquet"}) {
    Write(name, {{field("z", arrow::utf8()), R"(["a"])"},
                 {field("y", arrow::int64()), "[1]"}});
  }
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open(Names{"z", "x", "y"}));
  EXPECT_EQ(catalog->columns()[1].name, "x");
  EXPECT_EQ(catalog->columns()[0].dtype, DType::kString);
  EXPECT_EQ(catalog->columns()[2].dtype, DType::kInt64);
  EXPECT_EQ(catalog->layouts().size(), 2u);
  EXPECT_EQ(catalog->layout(0).Find(0)->kind, Difference::Kind::kMissing);
  EXPECT_EQ(catalog->layout(0).Find(2)->kind, Difference::Kind::kNulls);
  EXPECT_EQ(catalog->layout(1).Find(1)->kind, Difference::Kind::kMissing);
  EXPECT_THAT(Open(Names{"nowhere"}), StatusIs(StatusCode::kKey, "nowhere"));
}

TEST_F(FileColumnsTest, AnotherTypeIsADifference) {
  Write("a.parquet", {{field("x", arrow::int32()), "[1]"}});
  const auto type_in_b = [&]() -> Column {
    const auto catalog = *Open();
    const Difference* found = catalog->layout(1).Find(0);
    EXPECT_NE(found, nullptr);
    EXPECT_EQ(found->kind, Difference::Kind::kOther);
    EXPECT_TRUE(Catalog::Parse(catalog->Serialize()).ok());
    return found->as_stored;
  };
  Write("b.parquet", {{field("x", arrow::int64()), "[1]"}});
  EXPECT_EQ(type_in_b().dtype, DType::kInt64);
  EXPECT_EQ((*Open())->storage(1, 0).physical, ColumnStorage::kInt64);
  Write("b.parquet", {{field("x", arrow::list(arrow::int32())), "[[1]]"}});
  EXPECT_EQ(type_in_b().logical_type, "list<element: int32>");
  Write("b.parquet",
        {{field("x", arrow::struct_({field("f", arrow::int8())})), "[null]"}});
  EXPECT_EQ(type_in_b().unsupported, "it is a struct");
}

TEST_F(FileColumnsTest, AFieldIsMissingOnlyWhereItsListsAre) {
  const auto items = [](const char* name) {
    return field("items", arrow::list(arrow::struct_({field(name, arrow::int32())})));
  };
  Write("a.parquet", {{items("price"), "[[{\"price\": 1}]]"}});
  Write("b.parquet", {{items("count"), "[[{\"count\": 1}]]"}});
  Write("c.parquet", {{field("items", arrow::list(arrow::null())), "[[null]]"}});
  Write("d.parquet", {{field("items", arrow::null()), "[null]"}});
  Write("e.parquet", {{field("x", arrow::int32()), "[1]"}});
  Write("f.parquet", {{field("items", arrow::int32()), "[1]"}});
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto catalog, Open());
  const auto kind = [&](size_t file) { return catalog->layout(file).Find(0)->kind; };
  EXPECT_EQ(kind(1), Difference::Kind::kOther);
  EXPECT_EQ(catalog->layout(2).Find(0), nullptr);
  EXPECT_EQ(kind(3), Difference::Kind::kNulls);
  EXPECT_EQ(kind(4), Difference::Kind::kMissing);
  EXPECT_EQ(kind(5), Difference::Kind::kOther);
  EXPECT_TRUE(Catalog::Parse(catalog->Serialize()).ok());
}

}  // namespace
}  // namespace rowfeed
