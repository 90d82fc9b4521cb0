// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "arrow/type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "parquet/schema.h"
#include "testing/parquet_file.h"
#include "testing/schema_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using arrow::field;
using rowfeed::testing::ParquetBytes;
using rowfeed::testing::TableOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NestedSchemaTest, ListsOfEveryFixedWidthElement) {
  for (const Expected& expected : Scalars()) {
    SCOPED_TRACE(expected.type->ToString());
    for (const auto& list :
         Types{arrow::list(expected.type), arrow::large_list(expected.type)}) {
      const Column column = ColumnOf(list).column;
      EXPECT_EQ(column.unsupported, "");
      EXPECT_EQ(column.ragged_rank, 1);
      EXPECT_THAT(column.dense_shape, IsEmpty());
      EXPECT_STREQ(DTypeName(column.dtype), DTypeName(expected.dtype));
      EXPECT_EQ(column.unit, expected.unit);
      EXPECT_EQ(column.row_bytes(), 0);
    }
    const Column dense = ColumnOf(arrow::fixed_size_list(expected.type, 7)).column;
    EXPECT_EQ(dense.unsupported, "");
    EXPECT_EQ(dense.ragged_rank, 0);
    EXPECT_THAT(dense.dense_shape, ElementsAre(7));
    EXPECT_EQ(dense.row_bytes(), 7 * ElementSize(expected.dtype));
  }
}

TEST(NestedSchemaTest, FixedSizeBinariesAreDenseBytes) {
  const Column column = ColumnOf(arrow::fixed_size_binary(12)).column;
  EXPECT_EQ(column.unsupported, "");
  EXPECT_EQ(column.dtype, DType::kUInt8);
  EXPECT_EQ(column.ragged_rank, 0);
  EXPECT_THAT(column.dense_shape, ElementsAre(12));
  EXPECT_EQ(column.storage.physical, ColumnStorage::kFixedLenByteArray);
  EXPECT_EQ(column.storage.type_length, 12);
  EXPECT_EQ(column.storage.max_repetition_level(), 0);
}

TEST(NestedSchemaTest, LevelsOfLists) {
  struct Case {
    bool list_nullable, element_nullable;
    int max, slot;
  };
  for (const Case& c : {Case{true, true, 3, 2}, Case{true, false, 2, 2},
                        Case{false, true, 2, 1}, Case{false, false, 1, 1}}) {
    const auto type = arrow::list(field("element", arrow::int32(), c.element_nullable));
    const ColumnStorage storage =
        ColumnOf(field("c", type, c.list_nullable)).column.storage;
    EXPECT_EQ(storage.max_repetition_level(), 1);
    EXPECT_EQ(storage.max_definition_level, c.max);
    EXPECT_EQ(storage.slot_definition_level(), c.slot);
  }
}

TEST(NestedSchemaTest, FixedListsNeedTheArrowSchema) {
  const auto type = arrow::fixed_size_list(arrow::float32(), 4);
  EXPECT_EQ(ColumnOf(type, {.store_arrow_schema = false}).column.ragged_rank, 1);
}

TEST(NestedSchemaTest, LegacyListsOfTwoLevels) {
  using parquet::Repetition;
  using parquet::schema::GroupNode;
  using parquet::schema::PrimitiveNode;
  const Column bare =
      ColumnOfNode(PrimitiveNode::Make("c", Repetition::REPEATED, parquet::Type::INT32))
          .column;
  EXPECT_EQ(bare.unsupported, "");
  EXPECT_EQ(bare.ragged_rank, 1);
  EXPECT_EQ(bare.storage.max_definition_level, 1);
  EXPECT_EQ(bare.storage.slot_definition_level(), 1);
  const Column two_levels =
      ColumnOfNode(GroupNode::Make("c", Repetition::OPTIONAL,
                                   {PrimitiveNode::Make("array", Repetition::REPEATED,
                                                        parquet::Type::DOUBLE)},
                                   parquet::ConvertedType::LIST))
          .column;
  EXPECT_EQ(two_levels.unsupported, "");
  EXPECT_EQ(two_levels.dtype, DType::kFloat64);
  EXPECT_EQ(two_levels.storage.max_definition_level, 2);
  EXPECT_EQ(two_levels.storage.slot_definition_level(), 2);
}

// Returns the leaf columns below a column of this type.
std::vector<SchemaColumn> LeavesOf(const std::shared_ptr<arrow::DataType>& type) {
  const auto schema =
      ReadSchema(*MetadataOf(ParquetBytes(*TableOf({{field("c", type), "[]"}}))));
  EXPECT_THAT(schema, rowfeed::testing::IsOk());
  return *schema;
}

TEST(NestedSchemaTest, StructsAreTheirLeaves) {
  const auto inner = arrow::struct_({field("x.y", arrow::float32(), false)});
  const auto leaves =
      LeavesOf(arrow::struct_({field("a", arrow::int32()), field("b", inner)}));
  ASSERT_EQ(leaves.size(), 2);
  EXPECT_EQ(leaves[0].column.name, "c.a");
  EXPECT_EQ(leaves[0].column.storage.max_definition_level, 2);
  EXPECT_EQ(leaves[1].column.name, "c.b.x.y");
  EXPECT_THAT(leaves[1].column.path, ElementsAre("c", "b", "x.y"));
  EXPECT_EQ(leaves[1].column.logical_type, "float");
  EXPECT_EQ(leaves[1].leaf, 1);
}

TEST(NestedSchemaTest, ListsOfAnything) {
  const auto pair = arrow::struct_({field("a", arrow::int32())});
  const auto of_structs = LeavesOf(arrow::list(arrow::list(pair)));
  ASSERT_EQ(of_structs.size(), 1);
  EXPECT_EQ(of_structs[0].column.name, "c.a");
  EXPECT_EQ(of_structs[0].column.ragged_rank, 2);
  EXPECT_THAT(of_structs[0].column.storage.slot_definition_levels, ElementsAre(2, 4));
  EXPECT_EQ(of_structs[0].column.logical_type, "list<list<int32>>");

  const Column strings = ColumnOf(arrow::list(arrow::utf8())).column;
  EXPECT_EQ(strings.ragged_rank, 1);
  EXPECT_TRUE(strings.is_bytes());
}

TEST(NestedSchemaTest, MapsAreKeysAndValues) {
  const auto leaves = LeavesOf(arrow::map(arrow::utf8(), arrow::list(arrow::int32())));
  ASSERT_EQ(leaves.size(), 2);
  EXPECT_EQ(leaves[0].column.name, "c.key");
  EXPECT_EQ(leaves[0].column.ragged_rank, 1);
  EXPECT_EQ(leaves[1].column.name, "c.value");
  EXPECT_EQ(leaves[1].column.ragged_rank, 2);
}

TEST(NestedSchemaTest, FixedSizesCountFromTheInside) {
  const auto fixed = [](const std::shared_ptr<arrow::DataType>& type, int size) {
    return arrow::fixed_size_list(type, size);
  };
  const Column matrix = ColumnOf(fixed(fixed(arrow::float32(), 3), 2)).column;
  EXPECT_EQ(matrix.ragged_rank, 0);
  EXPECT_THAT(matrix.dense_shape, ElementsAre(2, 3));
  const Column vectors = ColumnOf(arrow::list(fixed(arrow::float32(), 3))).column;
  EXPECT_EQ(vectors.ragged_rank, 1);
  EXPECT_THAT(vectors.dense_shape, ElementsAre(3));
  const Column lists = ColumnOf(fixed(arrow::list(arrow::float32()), 3)).column;
  EXPECT_EQ(lists.ragged_rank, 2);
  EXPECT_THAT(lists.dense_shape, IsEmpty());
  const Column blobs = ColumnOf(fixed(arrow::fixed_size_binary(4), 3)).column;
  EXPECT_EQ(blobs.ragged_rank, 0);
  EXPECT_THAT(blobs.dense_shape, ElementsAre(3, 4));
  EXPECT_THAT(blobs.list_sizes, ElementsAre(3));
}

}  // namespace
}  // namespace rowfeed
