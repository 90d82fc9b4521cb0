// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzzing/seed_catalog.h"

#include <fstream>

#include "arrow/table.h"
#include "arrow/type.h"
#include "parquet/properties.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/temp_dir.h"

namespace rowfeed::fuzzing {

std::string SeedFile() {
  const std::shared_ptr<arrow::DataType> types[] = {
      arrow::boolean(),
      arrow::int8(),
      arrow::uint32(),
      arrow::int64(),
      arrow::float16(),
      arrow::float64(),
      arrow::utf8(),
      arrow::binary(),
      arrow::fixed_size_binary(4),
      arrow::decimal128(20, 3),
      arrow::date32(),
      arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"),
      arrow::list(arrow::int32()),
      arrow::fixed_size_list(arrow::float32(), 2),
  };
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const auto& type : types) {
    fields.push_back(arrow::field("x" + std::to_string(fields.size()), type));
    arrays.push_back(testing::RandomArray(type, 6, fields.size(), {.null_share = 0.2}));
  }
  const auto properties =
      parquet::WriterProperties::Builder().enable_write_page_index()->build();
  return testing::ParquetBytes(*arrow::Table::Make(arrow::schema(fields), arrays),
                               {.row_group_rows = 4, .properties = properties});
}

std::shared_ptr<const Catalog> SeedCatalog(
    const std::optional<std::vector<std::string>>& columns) {
  const testing::TempDir folder;
  for (const char* name : {"/a.parquet", "/b.parquet"}) {
    std::ofstream(folder.path() + name, std::ios::binary) << SeedFile();
  }
  return *Catalog::Open({folder.path()}, columns, 1);
}

}  // namespace rowfeed::fuzzing
