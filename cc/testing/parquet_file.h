// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_PARQUET_FILE_H_
#define ROWFEED_TESTING_PARQUET_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/type_fwd.h"
#include "parquet/type_fwd.h"

namespace rowfeed::testing {

// Returns the array that Arrow's JSON notation describes, as in ArrayOf(arrow::int32(),
// "[1, null, 3]"). This function and those below abort if Arrow reports an error.
std::shared_ptr<arrow::Array> ArrayOf(const std::shared_ptr<arrow::DataType>& type,
                                      std::string_view json);

// A column for TableOf.
struct TestColumn {
  std::shared_ptr<arrow::Field> field;
  std::string json;
};

// Makes a table, as in TableOf({{arrow::field("x", arrow::int32()), "[1, null]"}, …}).
std::shared_ptr<arrow::Table> TableOf(const std::vector<TestColumn>& columns);

// Makes a table of int64 columns with these names. Each has the values 0, 1, … rows -
// 1.
std::shared_ptr<arrow::Table> Int64Table(const std::vector<std::string>& names,
                                         int64_t rows);

struct WriteOptions {
  int64_t row_group_rows = 1 << 20;
  std::shared_ptr<parquet::WriterProperties> properties = nullptr;  // Arrow's defaults
  bool store_arrow_schema = true;
  bool int96_timestamps = false;
};

// Makes the Parquet file of `table`, in memory or at `path`. Missing directories are
// made.
std::string ParquetBytes(const arrow::Table& table, const WriteOptions& options = {});
void WriteParquet(const std::string& path, const arrow::Table& table,
                  const WriteOptions& options = {});

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_PARQUET_FILE_H_
