// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "arrow/api.h"
#include "core/catalog/catalog.h"
#include "core/decode/blocks/part.h"
#include "core/stream/batch_stream.h"
#include "core/stream/options/gather_ways.h"
#include "core/stream/options/validate_stream.h"
#include "gtest/gtest.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

constexpr int64_t kRows =
    1'100'000;  // 8.8 MB of 8-byte values; see test_large_windows.py

bool HasBuckets(int64_t num_columns, int64_t width, int64_t rows, int threads = 2,
                bool shuffle = true) {
  StreamOptions options;
  options.num_threads = threads;
  options.order.shuffle = shuffle;
  Part part;
  part.unit_bytes = width;
  std::vector<size_t> first_parts(num_columns + 1);
  std::iota(first_parts.begin(), first_parts.end(), size_t{0});
  return rowfeed::HasBuckets(options, std::vector<Part>(num_columns, part), first_parts,
                             rows);
}

TEST(WindowBucketsTest, AreForWindowsThatNoCacheHolds) {
  EXPECT_TRUE(HasBuckets(4, 8, kRows));
  EXPECT_FALSE(HasBuckets(4, 8, kRows / 2));
  EXPECT_FALSE(HasBuckets(4, 4, kRows));
  EXPECT_TRUE(HasBuckets(4, 4, 2 * kRows));
  EXPECT_FALSE(HasBuckets(4, 8, 100 * kRows));
}

TEST(WindowBucketsTest, AreForShufflesOfSomeNarrowColumns) {
  EXPECT_FALSE(HasBuckets(3, 8, kRows));
  EXPECT_FALSE(HasBuckets(4, 16, kRows));
  EXPECT_FALSE(HasBuckets(4, 8, kRows, 2, /*shuffle=*/false));
}

TEST(WindowBucketsTest, LeaveWorkForEveryThread) {
  EXPECT_FALSE(HasBuckets(4, 8, kRows, 16));
  EXPECT_TRUE(HasBuckets(8, 8, kRows, 16));
}

// Makes a table in which column k holds k + 1 times the row's number.
std::shared_ptr<arrow::Table> Multiples(int64_t rows, int64_t num_columns) {
  arrow::FieldVector fields;
  arrow::ArrayVector columns;
  for (int64_t k = 0; k < num_columns; ++k) {
    arrow::Int64Builder values;
    EXPECT_TRUE(values.Reserve(rows).ok());
    for (int64_t row = 0; row < rows; ++row) values.UnsafeAppend(row * (k + 1));
    fields.push_back(arrow::field(std::to_string(k), arrow::int64()));
    columns.push_back(*values.Finish());
  }
  return arrow::Table::Make(arrow::schema(fields), columns);
}

TEST(WindowBucketsTest, FillBatchesOfTwoWindowsByManyThreads) {
  constexpr int64_t kColumns = 8;
  constexpr int64_t kAllRows = 2 * kRows;
  const testing::TempDir directory;
  const std::string path = directory.path() + "/data.parquet";
  testing::WriteParquet(path, *Multiples(kAllRows, kColumns),
                        {.row_group_rows = kRows / 4});
  const auto catalog = Catalog::Open({path}, std::nullopt, 2);
  ROWFEED_ASSERT_OK(catalog);
  StreamOptions options;
  for (int64_t k = 0; k < kColumns; ++k) {
    options.columns.push_back({std::to_string(k), {}});
  }
  options.order.shuffle = true;
  options.order.shuffle_window = kRows;
  options.delivery.batch_size = 30'000;
  options.num_threads = 8;
  options.memory_budget_bytes = int64_t{1} << 30;
  ROWFEED_ASSERT_OK(ValidateStream(options, **catalog));
  const auto stream = BatchStream::Make(
      std::make_shared<Cursor>(std::make_shared<DatasetRows>(*catalog, StreamOptions{}),
                               0, 1, 1 << 26),
      options);
  std::vector<bool> seen(kAllRows);
  Batch batch;
  while (*stream->Next(std::chrono::seconds(60), &batch) == BatchStream::Pull::kBatch) {
    const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      ASSERT_FALSE(seen[ids[row]]);
      seen[ids[row]] = true;
      for (int64_t k = 1; k < kColumns; ++k) {
        const auto* values = reinterpret_cast<const int64_t*>(batch.parts[k].data);
        ASSERT_EQ(values[row], ids[row] * (k + 1));
      }
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), kAllRows);
}

}  // namespace
}  // namespace rowfeed
