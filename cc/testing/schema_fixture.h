// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_SCHEMA_FIXTURE_H_
#define ROWFEED_TESTING_SCHEMA_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "arrow/io/memory.h"
#include "arrow/table.h"
#include "arrow/type.h"
#include "core/catalog/schema/schema.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "parquet/file_reader.h"
#include "parquet/file_writer.h"
#include "parquet/schema.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"

// Returns how the schemas of files that tests write are read.
namespace rowfeed {

using Types = std::vector<std::shared_ptr<arrow::DataType>>;

inline std::shared_ptr<parquet::FileMetaData> MetadataOf(const std::string& bytes) {
  return parquet::ParquetFileReader::Open(std::make_shared<arrow::io::BufferReader>(
                                              arrow::Buffer::FromString(bytes)))
      ->metadata();
}

inline SchemaColumn ColumnOf(const std::shared_ptr<arrow::Field>& of,
                             const testing::WriteOptions& options = {}) {
  const auto schema = ReadSchema(
      *MetadataOf(testing::ParquetBytes(*testing::TableOf({{of, "[]"}}), options)));
  EXPECT_THAT(schema, testing::IsOk());
  return schema->at(0);
}

inline SchemaColumn ColumnOf(const std::shared_ptr<arrow::DataType>& type,
                             const testing::WriteOptions& options = {}) {
  return ColumnOf(arrow::field("c", type), options);
}

// How a type without lists must be read.
struct Expected {
  std::shared_ptr<arrow::DataType> type;
  DType dtype;
  ColumnStorage::Physical physical;
  const char* unit = "";
};

inline std::vector<Expected> Scalars() {
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

// Writes a file with this Parquet schema and no rows, and returns how its column is
// read.
inline SchemaColumn ColumnOfNode(const parquet::schema::NodePtr& node) {
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  auto root =
      parquet::schema::GroupNode::Make("schema", parquet::Repetition::REQUIRED, {node});
  parquet::ParquetFileWriter::Open(
      sink, std::static_pointer_cast<parquet::schema::GroupNode>(root))
      ->Close();
  const auto schema = ReadSchema(*MetadataOf(sink->Finish().ValueOrDie()->ToString()));
  EXPECT_THAT(schema, testing::IsOk());
  return schema->at(0);
}

}  // namespace rowfeed

#endif  // ROWFEED_TESTING_SCHEMA_FIXTURE_H_
