// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_BATCH_STREAM_FIXTURE_H_
#define ROWFEED_TESTING_BATCH_STREAM_FIXTURE_H_

// For tests only: streams of a file whose columns all tell the row's number.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "arrow/api.h"
#include "core/catalog/catalog.h"
#include "core/stream/batch_stream.h"
#include "core/stream/options/validate_stream.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/text_at.h"

namespace rowfeed {

inline constexpr std::chrono::milliseconds kLong{20000};

inline constexpr int kWide = 20;

// Makes a table of the rows 0 .. rows - 1. `id` is the row's number as int64, and
// `text` a string that says it. `list` has the number id % 4 times. `wide` has it kWide
// times, which is more than a cache line.
inline std::shared_ptr<arrow::Table> MakeTable(int64_t rows) {
  arrow::Int64Builder ids;
  arrow::StringBuilder texts;
  auto items = std::make_shared<arrow::Int32Builder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), items);
  auto wide_items = std::make_shared<arrow::Int32Builder>();
  arrow::FixedSizeListBuilder wide(arrow::default_memory_pool(), wide_items, kWide);
  for (int64_t i = 0; i < rows; ++i) {
    EXPECT_TRUE(wide.Append().ok());
    for (int n = 0; n < kWide; ++n) EXPECT_TRUE(wide_items->Append(i).ok());
    EXPECT_TRUE(ids.Append(i).ok());
    EXPECT_TRUE(texts.Append("row " + std::to_string(i)).ok());
    EXPECT_TRUE(lists.Append().ok());
    for (int64_t n = 0; n < i % 4; ++n) EXPECT_TRUE(items->Append(i).ok());
  }
  const auto schema = arrow::schema(
      {arrow::field("id", arrow::int64()), arrow::field("text", arrow::utf8()),
       arrow::field("list", arrow::list(arrow::int32())),
       arrow::field("wide", arrow::fixed_size_list(arrow::int32(), kWide))});
  return arrow::Table::Make(
      schema, {*ids.Finish(), *texts.Finish(), *lists.Finish(), *wide.Finish()});
}

// Runs tests with one batch per arena, and with several.
class BatchStreamFixture : public ::testing::TestWithParam<int64_t> {
 protected:
  // Writes one file of `rows` rows in row groups of `group_rows`.
  void Write(int64_t rows, int64_t group_rows) { Write(*MakeTable(rows), group_rows); }

  void Write(const arrow::Table& table, int64_t group_rows) {
    path_ = directory_.path() + "/data.parquet";
    testing::WriteParquet(path_, table, {.row_group_rows = group_rows});
    auto catalog = Catalog::Open({path_}, std::nullopt, 2);
    ROWFEED_ASSERT_OK(catalog);
    catalog_ = *catalog;
    options_.columns = {{"id", {}}, {"text", {}}, {"list", {}}, {"wide", {}}};
    options_.order.shuffle = true;
    options_.order.shuffle_window = 4 * group_rows;
    options_.delivery.batch_size = 10;
    options_.num_threads = 2;
    options_.max_batches_per_arena = GetParam();
    ROWFEED_ASSERT_OK(ValidateStream(options_, *catalog_));
    MakeCursor();
  }

  void MakeCursor() {
    cursor_ = std::make_shared<Cursor>(
        std::make_shared<DatasetRows>(catalog_, StreamOptions{}), 0, 2, 1 << 26);
  }

  // Destroys the pages of column 'id' in one row group. The file keeps its size and its
  // time, so that nobody notices.
  void Damage(int64_t row_group) {
    std::FILE* file = std::fopen(path_.c_str(), "r+b");
    const ColumnChunk& chunk = catalog_->chunk(row_group, 0);
    const auto mtime = std::filesystem::last_write_time(path_);
    std::fseek(file, chunk.offset, SEEK_SET);
    const std::string garbage(chunk.size, '\xff');
    std::fwrite(garbage.data(), 1, garbage.size(), file);
    std::fclose(file);
    std::filesystem::last_write_time(path_, mtime);
  }

  std::unique_ptr<BatchStream> Stream() { return BatchStream::Make(cursor_, options_); }

  // Returns the ids of a batch. Expects the other columns to agree with them.
  static std::vector<int64_t> Ids(const Batch& batch) {
    const auto* ids = reinterpret_cast<const int64_t*>(batch.parts[0].data);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      if (batch.valid != nullptr && batch.valid[row] == 0) continue;
      EXPECT_EQ(testing::TextAt(batch.parts[1], row),
                "row " + std::to_string(ids[row]));
      const BatchPart& list = batch.parts[2];
      EXPECT_EQ(list.offsets[row + 1] - list.offsets[row], ids[row] % 4);
      for (int64_t i = list.offsets[row]; i < list.offsets[row + 1]; ++i) {
        EXPECT_EQ(reinterpret_cast<const int32_t*>(list.data)[i], ids[row]);
      }
      const auto* wide = reinterpret_cast<const int32_t*>(batch.parts[3].data);
      EXPECT_EQ(wide[row * kWide], ids[row]);
      EXPECT_EQ(wide[(row + 1) * kWide - 1], ids[row]);
    }
    return {ids, ids + batch.num_rows};
  }

  static std::vector<std::vector<int64_t>> ReadAll(BatchStream* stream) {
    std::vector<std::vector<int64_t>> batches;
    Batch batch;
    while (true) {
      auto pull = stream->Next(kLong, &batch);
      EXPECT_THAT(pull, testing::IsOk());
      if (!pull.ok() || *pull != BatchStream::Pull::kBatch) return batches;
      batches.push_back(Ids(batch));
    }
  }

  static std::vector<int64_t> Sorted(const std::vector<std::vector<int64_t>>& batches) {
    std::vector<int64_t> rows;
    for (const auto& batch : batches)
      rows.insert(rows.end(), batch.begin(), batch.end());
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  static std::vector<int64_t> Iota(int64_t n) {
    std::vector<int64_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }

  testing::TempDir directory_;
  std::string path_;
  std::shared_ptr<const Catalog> catalog_;
  StreamOptions options_;
  std::shared_ptr<Cursor> cursor_;
};

}  // namespace rowfeed

#endif  // ROWFEED_TESTING_BATCH_STREAM_FIXTURE_H_
