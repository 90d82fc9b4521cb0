// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "testing/parquet_file.h"

#include <numeric>

#include "arrow/array.h"
#include "arrow/buffer.h"
#include "arrow/builder.h"
#include "arrow/io/memory.h"
#include "arrow/json/from_string.h"
#include "arrow/memory_pool.h"
#include "arrow/table.h"
#include "arrow/type.h"
#include "parquet/arrow/writer.h"
#include "parquet/properties.h"
#include "testing/temp_dir.h"

namespace rowfeed::testing {
namespace {

void AbortUnlessOk(const arrow::Status& status) {
  if (!status.ok()) status.Abort();
}

}  // namespace

std::shared_ptr<arrow::Array> ArrayOf(const std::shared_ptr<arrow::DataType>& type,
                                      std::string_view json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

std::shared_ptr<arrow::Table> TableOf(const std::vector<TestColumn>& columns) {
  std::vector<std::shared_ptr<arrow::Field>> fields;
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (const TestColumn& column : columns) {
    fields.push_back(column.field);
    arrays.push_back(ArrayOf(column.field->type(), column.json));
  }
  return arrow::Table::Make(arrow::schema(std::move(fields)), arrays);
}

std::shared_ptr<arrow::Table> Int64Table(const std::vector<std::string>& names,
                                         int64_t rows) {
  std::vector<int64_t> values(rows);
  std::iota(values.begin(), values.end(), 0);
  arrow::Int64Builder builder;
  AbortUnlessOk(builder.AppendValues(values));
  const std::shared_ptr<arrow::Array> array = builder.Finish().ValueOrDie();
  std::vector<std::shared_ptr<arrow::Field>> fields;
  fields.reserve(names.size());
  for (const std::string& name : names) fields.push_back(field(name, arrow::int64()));
  return arrow::Table::Make(
      arrow::schema(std::move(fields)),
      std::vector<std::shared_ptr<arrow::Array>>(names.size(), array), rows);
}

std::string ParquetBytes(const arrow::Table& table, const WriteOptions& options) {
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  auto properties = options.properties != nullptr
                        ? options.properties
                        : parquet::default_writer_properties();
  parquet::ArrowWriterProperties::Builder arrow_properties;
  if (options.store_arrow_schema) arrow_properties.store_schema();
  if (options.int96_timestamps) arrow_properties.enable_deprecated_int96_timestamps();
  AbortUnlessOk(parquet::arrow::WriteTable(table, arrow::default_memory_pool(), sink,
                                           options.row_group_rows, properties,
                                           arrow_properties.build()));
  return sink->Finish().ValueOrDie()->ToString();
}

void WriteParquet(const std::string& path, const arrow::Table& table,
                  const WriteOptions& options) {
  WriteBytes(path, ParquetBytes(table, options));
}

}  // namespace rowfeed::testing
