// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema.h"

#include <memory>
#include <string>
#include <vector>

#include "arrow/io/memory.h"
#include "arrow/table.h"
#include "arrow/type.h"
#include "parquet/file_reader.h"
#include "parquet/file_writer.h"
#include "parquet/properties.h"
#include "parquet/schema.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using arrow::field;
using rowfeed::testing::ParquetBytes;
using rowfeed::testing::TableOf;
using rowfeed::testing::WriteOptions;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Types = std::vector<std::shared_ptr<arrow::DataType>>;

std::shared_ptr<parquet::FileMetaData> MetadataOf(const std::string& bytes) {
  return parquet::ParquetFileReader::Open(std::make_shared<arrow::io::BufferReader>(
                                              arrow::Buffer::FromString(bytes)))
      ->metadata();
}

SchemaColumn ColumnOf(const std::shared_ptr<arrow::Field>& of,
                      const WriteOptions& options = {}) {
  const auto schema =
      ReadSchema(*MetadataOf(ParquetBytes(*TableOf({{of, "[]"}}), options)));
  EXPECT_THAT(schema, rowfeed::testing::IsOk());
  return schema->at(0);
}

SchemaColumn ColumnOf(const std::shared_ptr<arrow::DataType>& type,
                      const WriteOptions& options = {}) {
  return ColumnOf(field("c", type), options);
}

struct Expected {
  std::shared_ptr<arrow::DataType> type;
  DType dtype;
  ColumnStorage::Physical physical;
  const char* unit = "";
};

std::vector<Expected> Scalars() {
  using S = ColumnStorage;
  return {
      {arrow::boolean(), DType::kBool, S::kBoolean},
      {arrow::int8(), DType::kInt8, S::kInt32},
      {arrow::int16(), DType::kInt16, S::kInt32},
      {arrow::int32(), DType::kInt32, S::kInt32},
      {arrow::int64(), DType::kInt64, S::kInt64},
      {arrow::uint8(), DType::kUInt8, S::kInt32},
      {arrow::uint16(), DType::kUInt16, S::kInt32},
      {arrow::uint32(), DType::kUInt32, S::kInt32},
      {arrow::uint64(), DType::kUInt64, S::kInt64},
      {arrow::float16(), DType::kFloat16, S::kFixedLenByteArray},
      {arrow::float32(), DType::kFloat32, S::kFloat},
      {arrow::float64(), DType::kFloat64, S::kDouble},
      {arrow::date32(), DType::kInt32, S::kInt32, "days"},
      {arrow::date64(), DType::kInt32, S::kInt32, "days"},
      {arrow::time32(arrow::TimeUnit::MILLI), DType::kInt32, S::kInt32, "ms"},
      {arrow::time64(arrow::TimeUnit::MICRO), DType::kInt64, S::kInt64, "us"},
      {arrow::time64(arrow::TimeUnit::NANO), DType::kInt64, S::kInt64, "ns"},
      {arrow::timestamp(arrow::TimeUnit::SECOND), DType::kInt64, S::kInt64, "ms"},
      {arrow::timestamp(arrow::TimeUnit::MILLI), DType::kInt64, S::kInt64, "ms"},
      {arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"), DType::kInt64, S::kInt64, "us"},
      {arrow::timestamp(arrow::TimeUnit::NANO, "Europe/Paris"), DType::kInt64,
       S::kInt64, "ns"},
      {arrow::duration(arrow::TimeUnit::NANO), DType::kInt64, S::kInt64, "ns"},
  };
}

TEST(SchemaTest, ScalarsAndTheirStorage) {
  std::vector<Expected> all = Scalars();
  for (const auto& type : Types{arrow::utf8(), arrow::large_utf8(), arrow::utf8_view(),
                                arrow::dictionary(arrow::int32(), arrow::utf8())}) {
    all.push_back({type, DType::kString, ColumnStorage::kByteArray});
  }
  for (const auto& type :
       Types{arrow::binary(), arrow::large_binary(), arrow::binary_view()}) {
    all.push_back({type, DType::kBinary, ColumnStorage::kByteArray});
  }
  for (const Expected& expected : all) {
    SCOPED_TRACE(expected.type->ToString());
    const SchemaColumn found = ColumnOf(expected.type);
    const Column& column = found.column;
    EXPECT_EQ(column.unsupported, "");
    EXPECT_EQ(column.name, "c");
    EXPECT_STREQ(DTypeName(column.dtype), DTypeName(expected.dtype));
    EXPECT_EQ(column.ragged_rank, 0);
    EXPECT_THAT(column.dense_shape, IsEmpty());
    EXPECT_EQ(column.unit, expected.unit);
    EXPECT_EQ(column.storage.physical, expected.physical);
    EXPECT_EQ(column.storage.type_length, column.dtype == DType::kFloat16 ? 2 : 0);
    EXPECT_EQ(column.storage.max_definition_level, 1);
    EXPECT_EQ(column.storage.max_repetition_level(), 0);
    EXPECT_EQ(found.leaf, 0);
    EXPECT_EQ(
        ColumnOf(field("c", expected.type, false)).column.storage.max_definition_level,
        0);
  }
}

TEST(SchemaTest, ListsOfEveryFixedWidthElement) {
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

TEST(SchemaTest, FixedSizeBinariesAreDenseBytes) {
  const Column column = ColumnOf(arrow::fixed_size_binary(12)).column;
  EXPECT_EQ(column.unsupported, "");
  EXPECT_EQ(column.dtype, DType::kUInt8);
  EXPECT_EQ(column.ragged_rank, 0);
  EXPECT_THAT(column.dense_shape, ElementsAre(12));
  EXPECT_EQ(column.storage.physical, ColumnStorage::kFixedLenByteArray);
  EXPECT_EQ(column.storage.type_length, 12);
  EXPECT_EQ(column.storage.max_repetition_level(), 0);
}

TEST(SchemaTest, LevelsOfLists) {
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

TEST(SchemaTest, FixedListsNeedTheArrowSchema) {
  const auto type = arrow::fixed_size_list(arrow::float32(), 4);
  EXPECT_EQ(ColumnOf(type, {.store_arrow_schema = false}).column.ragged_rank, 1);
}

// A file with this Parquet schema and no rows.
SchemaColumn ColumnOfNode(const parquet::schema::NodePtr& node) {
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  auto root =
      parquet::schema::GroupNode::Make("schema", parquet::Repetition::REQUIRED, {node});
  parquet::ParquetFileWriter::Open(
      sink, std::static_pointer_cast<parquet::schema::GroupNode>(root))
      ->Close();
  const auto schema = ReadSchema(*MetadataOf(sink->Finish().ValueOrDie()->ToString()));
  EXPECT_THAT(schema, rowfeed::testing::IsOk());
  return schema->at(0);
}

TEST(SchemaTest, LegacyListsOfTwoLevels) {
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

TEST(SchemaTest, JsonEnumAndUuid) {
  using parquet::LogicalType;
  using parquet::Repetition;
  using parquet::schema::PrimitiveNode;
  const auto make = [](const std::shared_ptr<const LogicalType>& type,
                       parquet::Type::type physical, int length = -1) {
    return ColumnOfNode(
               PrimitiveNode::Make("c", Repetition::REQUIRED, type, physical, length))
        .column;
  };
  EXPECT_EQ(make(LogicalType::JSON(), parquet::Type::BYTE_ARRAY).unsupported, "");
  EXPECT_TRUE(make(LogicalType::Enum(), parquet::Type::BYTE_ARRAY).is_bytes());
  const Column uuid =
      make(LogicalType::UUID(), parquet::Type::FIXED_LEN_BYTE_ARRAY, 16);
  EXPECT_EQ(uuid.unsupported, "");
  EXPECT_THAT(uuid.dense_shape, ElementsAre(16));
}

// The leaves below a column of this type.
std::vector<SchemaColumn> LeavesOf(const std::shared_ptr<arrow::DataType>& type) {
  const auto schema =
      ReadSchema(*MetadataOf(ParquetBytes(*TableOf({{field("c", type), "[]"}}))));
  EXPECT_THAT(schema, rowfeed::testing::IsOk());
  return *schema;
}

TEST(SchemaTest, StructsAreTheirLeaves) {
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

TEST(SchemaTest, ListsOfAnything) {
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

TEST(SchemaTest, MapsAreKeysAndValues) {
  const auto leaves = LeavesOf(arrow::map(arrow::utf8(), arrow::list(arrow::int32())));
  ASSERT_EQ(leaves.size(), 2);
  EXPECT_EQ(leaves[0].column.name, "c.key");
  EXPECT_EQ(leaves[0].column.ragged_rank, 1);
  EXPECT_EQ(leaves[1].column.name, "c.value");
  EXPECT_EQ(leaves[1].column.ragged_rank, 2);
}

TEST(SchemaTest, FixedSizesCountFromTheInside) {
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

TEST(SchemaTest, SaysWhatIsNotSupported) {
  const auto reason = [](const auto& type) {
    return ColumnOf(type).column.unsupported;
  };
  EXPECT_EQ(reason(arrow::null()), "nulls without a type are not supported");
  EXPECT_EQ(ColumnOf(arrow::null()).leaf, -1);
}

TEST(SchemaTest, Int96IsATimestampInNanoseconds) {
  const SchemaColumn found = ColumnOfNode(parquet::schema::PrimitiveNode::Make(
      "c", parquet::Repetition::OPTIONAL, parquet::Type::INT96));
  EXPECT_EQ(found.column.unsupported, "");
  EXPECT_EQ(found.column.dtype, DType::kInt64);
  EXPECT_EQ(found.column.unit, "ns");
  EXPECT_EQ(found.kind, ColumnOf(arrow::timestamp(arrow::TimeUnit::NANO)).kind);
}

TEST(SchemaTest, DecimalsOfAnyScaleAreOneKind) {
  const SchemaColumn narrow = ColumnOf(arrow::decimal32(5, 2));
  const SchemaColumn wide = ColumnOf(arrow::decimal256(70, 60));
  for (const SchemaColumn* found : {&narrow, &wide}) {
    EXPECT_EQ(found->column.unsupported, "");
    EXPECT_EQ(found->column.dtype, DType::kFloat64);
    EXPECT_EQ(found->kind, "decimal");
  }
  EXPECT_EQ(narrow.column.storage.decimal_scale, 2);
  EXPECT_EQ(wide.column.storage.decimal_scale, 60);
  EXPECT_EQ(ColumnOf(arrow::list(arrow::decimal128(9, 3))).kind, "list<decimal>");
  EXPECT_EQ(ColumnOf(arrow::int32()).column.storage.decimal_scale,
            ColumnStorage::kNoDecimal);
}

TEST(SchemaTest, IntervalsAreNotSupported) {
  using parquet::Repetition;
  using parquet::schema::PrimitiveNode;
  EXPECT_EQ(ColumnOfNode(PrimitiveNode::Make("c", Repetition::OPTIONAL,
                                             parquet::LogicalType::Interval(),
                                             parquet::Type::FIXED_LEN_BYTE_ARRAY, 12))
                .column.unsupported,
            "intervals are not supported");
}

TEST(SchemaTest, NamesAreTakenAsTheyAre) {
  const auto metadata = MetadataOf(ParquetBytes(*TableOf({
      {field("a.b", arrow::int32()), "[1]"},
      {field("", arrow::int32()), "[1]"},
      {field("x", arrow::int32()), "[1]"},
      {field("x", arrow::int64()), "[1]"},
  })));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto schema, ReadSchema(*metadata));
  EXPECT_EQ(schema[0].column.name, "a.b");
  EXPECT_EQ(schema[0].column.unsupported, "");
  EXPECT_EQ(schema[1].column.name, "");
  EXPECT_EQ(schema[1].column.unsupported, "");
  EXPECT_EQ(schema[2].column.unsupported, "2 columns have this name");
  EXPECT_EQ(schema[3].column.unsupported, "2 columns have this name");
}

TEST(SchemaTest, KindIsWhatFilesMustShare) {
  const auto kind = [](const std::shared_ptr<arrow::DataType>& type) {
    return ColumnOf(type).kind;
  };
  EXPECT_EQ(kind(arrow::utf8()), kind(arrow::large_utf8()));
  EXPECT_EQ(kind(arrow::utf8()),
            kind(arrow::dictionary(arrow::int32(), arrow::utf8())));
  EXPECT_NE(kind(arrow::utf8()), kind(arrow::binary()));
  EXPECT_EQ(kind(arrow::list(field("item", arrow::int32()))),
            kind(arrow::large_list(field("element", arrow::int32(), false))));
  EXPECT_NE(kind(arrow::list(arrow::int32())), kind(arrow::int32()));
  EXPECT_NE(kind(arrow::list(arrow::int32())),
            kind(arrow::fixed_size_list(arrow::int32(), 2)));
  EXPECT_NE(kind(arrow::fixed_size_list(arrow::int32(), 3)),
            kind(arrow::fixed_size_list(arrow::int32(), 2)));
  EXPECT_NE(kind(arrow::fixed_size_list(arrow::uint8(), 3)),
            kind(arrow::fixed_size_binary(3)));
  const auto us = arrow::TimeUnit::MICRO;
  EXPECT_EQ(kind(arrow::timestamp(us, "UTC")),
            kind(arrow::timestamp(us, "Europe/Paris")));
  EXPECT_NE(kind(arrow::timestamp(us, "UTC")), kind(arrow::timestamp(us)));
  EXPECT_NE(kind(arrow::timestamp(us)), kind(arrow::duration(us)));
  EXPECT_NE(kind(arrow::date32()), kind(arrow::int32()));
}

TEST(SchemaTest, SameSchemaLooksAtBothSchemas) {
  const auto metadata = [](const std::shared_ptr<arrow::DataType>& type,
                           bool arrow_schema) {
    return MetadataOf(ParquetBytes(*TableOf({{field("c", type), "[]"}}),
                                   {.store_arrow_schema = arrow_schema}));
  };
  const auto list = arrow::list(arrow::int32());
  const auto fixed = arrow::fixed_size_list(arrow::int32(), 2);
  EXPECT_TRUE(SameSchema(*metadata(list, true), *metadata(list, true)));
  EXPECT_FALSE(SameSchema(*metadata(list, true), *metadata(list, false)));
  EXPECT_FALSE(SameSchema(*metadata(list, true), *metadata(fixed, true)));
  EXPECT_FALSE(
      SameSchema(*metadata(arrow::int32(), false), *metadata(arrow::int64(), false)));
}

}  // namespace
}  // namespace rowfeed
