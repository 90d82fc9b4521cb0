// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/schema.h"

#include <memory>
#include <string>
#include <vector>

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

TEST(SchemaTest, SaysWhatIsNotSupported) {
  const auto reason = [](const auto& type) {
    return ColumnOf(type).column.unsupported;
  };
  EXPECT_EQ(reason(arrow::null()), "nulls without a type are not supported");
  EXPECT_TRUE(ColumnOf(arrow::null()).is_nulls);
}

TEST(SchemaTest, Int96IsATimestampInNanoseconds) {
  const SchemaColumn found = ColumnOfNode(parquet::schema::PrimitiveNode::Make(
      "c", parquet::Repetition::OPTIONAL, parquet::Type::INT96));
  EXPECT_EQ(found.column.unsupported, "");
  EXPECT_EQ(found.column.dtype, DType::kInt64);
  EXPECT_EQ(found.column.unit, "ns");
  EXPECT_TRUE(
      AreAlike(found.column, ColumnOf(arrow::timestamp(arrow::TimeUnit::NANO)).column));
}

TEST(SchemaTest, DecimalsOfAnyScaleAreOneKind) {
  const SchemaColumn narrow = ColumnOf(arrow::decimal32(5, 2));
  const SchemaColumn wide = ColumnOf(arrow::decimal256(70, 60));
  for (const SchemaColumn* found : {&narrow, &wide}) {
    EXPECT_EQ(found->column.unsupported, "");
    EXPECT_EQ(found->column.dtype, DType::kFloat64);
  }
  EXPECT_EQ(narrow.column.storage.decimal_scale, 2);
  EXPECT_EQ(wide.column.storage.decimal_scale, 60);
  EXPECT_TRUE(AreAlike(narrow.column, wide.column));
  EXPECT_FALSE(AreAlike(narrow.column, ColumnOf(arrow::float64()).column));
  EXPECT_TRUE(AreAlike(ColumnOf(arrow::list(arrow::decimal128(9, 3))).column,
                       ColumnOf(arrow::list(arrow::decimal128(9, 2))).column));
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

TEST(SchemaTest, AColumnWhoseNameIsNotUtf8IsRefusedAndTheOthersAreNot) {
  const auto metadata = MetadataOf(ParquetBytes(*TableOf({
      {field("na\xffme", arrow::int32()), "[1]"},
      {field("caf\u00e9", arrow::int32()), "[1]"},
  })));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto schema, ReadSchema(*metadata));
  EXPECT_EQ(schema[0].column.name, "na\\xffme");
  EXPECT_EQ(schema[0].column.path, std::vector<std::string>{"na\\xffme"});
  EXPECT_EQ(schema[0].column.unsupported, "its name is not UTF-8");
  EXPECT_EQ(schema[0].leaf, -1);
  EXPECT_EQ(schema[1].column.name, "caf\u00e9");
  EXPECT_EQ(schema[1].column.unsupported, "");
}

TEST(SchemaTest, FilesMayDifferInWhatChangesNoValues) {
  using Type = std::shared_ptr<arrow::DataType>;
  const auto are_alike = [](const Type& a, const Type& b) {
    return AreAlike(ColumnOf(a).column, ColumnOf(b).column);
  };
  EXPECT_TRUE(are_alike(arrow::utf8(), arrow::large_utf8()));
  EXPECT_TRUE(
      are_alike(arrow::utf8(), arrow::dictionary(arrow::int32(), arrow::utf8())));
  EXPECT_FALSE(are_alike(arrow::utf8(), arrow::binary()));
  EXPECT_TRUE(are_alike(arrow::list(field("item", arrow::int32())),
                        arrow::large_list(field("element", arrow::int32(), false))));
  EXPECT_FALSE(are_alike(arrow::list(arrow::int32()), arrow::int32()));
  EXPECT_FALSE(are_alike(arrow::list(arrow::int32()),
                         arrow::fixed_size_list(arrow::int32(), 2)));
  EXPECT_FALSE(are_alike(arrow::fixed_size_list(arrow::int32(), 3),
                         arrow::fixed_size_list(arrow::int32(), 2)));
  EXPECT_FALSE(are_alike(arrow::fixed_size_list(arrow::uint8(), 3),
                         arrow::fixed_size_binary(3)));
  const auto us = arrow::TimeUnit::MICRO;
  EXPECT_TRUE(
      are_alike(arrow::timestamp(us, "UTC"), arrow::timestamp(us, "Europe/Paris")));
  EXPECT_FALSE(are_alike(arrow::timestamp(us, "UTC"), arrow::timestamp(us)));
  EXPECT_FALSE(are_alike(arrow::timestamp(us), arrow::duration(us)));
  EXPECT_FALSE(are_alike(arrow::date32(), arrow::int32()));
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
