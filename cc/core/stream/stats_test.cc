// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/stats/stats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "arrow/api.h"
#include "core/catalog/catalog.h"
#include "core/stream/batch_stream.h"
#include "core/stream/stats/counters.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kLong{20000};
constexpr int64_t kRows = 1000;

class StatsTest : public ::testing::Test {
 protected:
  void SetUp() override { WriteFile(/*group_rows=*/100); }

  void WriteFile(int64_t group_rows) {
    const std::string path = directory_.path() + "/data.parquet";
    testing::WriteParquet(path, *testing::Int64Table({"a", "b"}, kRows),
                          {.row_group_rows = group_rows});
    auto catalog = Catalog::Open({path}, std::nullopt, 1);
    ROWFEED_ASSERT_OK(catalog);
    catalog_ = *catalog;
    options_.columns = {{"a", {}}, {"b", {}}};
    options_.order.shuffle = true;
    options_.order.shuffle_window = 400;
    options_.delivery.batch_size = 30;
    options_.num_threads = 2;
    cursor_ = std::make_shared<Cursor>(
        std::make_shared<DatasetRows>(catalog_, StreamOptions{}), 0, 2, 1 << 26);
  }

  int64_t ReadAll() {
    const auto stream = BatchStream::Make(cursor_, options_);
    Batch batch;
    int64_t rows = 0;
    while (true) {
      const auto pull = stream->Next(kLong, &batch);
      EXPECT_THAT(pull, testing::IsOk());
      if (!pull.ok() || *pull != BatchStream::Pull::kBatch) return rows;
      rows += batch.num_rows;
    }
  }

  // Whether the bytes in flight become 0. This can take a moment, because tasks free
  // windows.
  bool NothingIsInFlight() const {
    for (int tries = 0; tries < 3000; ++tries) {
      const Stats stats = cursor_->stats();
      if (stats.levels[static_cast<size_t>(Level::kBytesInFlight)] == 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  int64_t ChunkBytes(int column) const {
    int64_t bytes = 0;
    for (size_t group = 0; group < catalog_->row_groups().size(); ++group) {
      bytes += catalog_->chunk(group, column).size;
    }
    return bytes;
  }

  testing::TempDir directory_;
  std::shared_ptr<const Catalog> catalog_;
  StreamOptions options_;
  std::shared_ptr<Cursor> cursor_;
};

TEST_F(StatsTest, NothingIsCountedBeforeAnIteration) {
  const Stats stats = cursor_->stats();
  EXPECT_EQ(stats.num_threads, 2);
  EXPECT_EQ(stats.memory_budget_bytes, 1 << 26);
  EXPECT_TRUE(stats.columns.empty());
  EXPECT_EQ(stats.totals[Count::kRows], 0);
}

TEST_F(StatsTest, CountsWhatAnEpochDeliversAndReads) {
  EXPECT_EQ(ReadAll(), kRows);
  const Stats stats = cursor_->stats();
  EXPECT_EQ(stats.totals[Count::kRows], kRows);
  EXPECT_EQ(stats.totals[Count::kBatches], 34);
  EXPECT_GE(stats.totals[Count::kBytes], kRows * 16);
  ASSERT_EQ(stats.columns.size(), 2);
  EXPECT_EQ(stats.columns[1].name, "b");
  for (const size_t column : {0, 1}) {
    EXPECT_EQ(stats.totals.of(column, ColumnCount::kReadBytes), ChunkBytes(column));
    EXPECT_EQ(stats.totals.of(column, ColumnCount::kRequests), 10);
  }
  EXPECT_EQ(stats.totals.of(2, ColumnCount::kReadBytes), 0);  // There is no filter.
  EXPECT_EQ(stats.totals[Count::kFetchedBytes], 0);           // The file is local.
}

// Takes one batch and skips nine, as workers of a DataLoader do that take turns.
TEST_F(StatsTest, SkippingReadsNothingTwice) {
  WriteFile(/*group_rows=*/10);
  options_.order.shuffle_window = 10;
  options_.delivery.batch_size = 10;
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  for (int i = 0; i < 10; ++i) {
    ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
    EXPECT_EQ(*stream->Skip(9), 9);
  }
  EXPECT_LE(cursor_->stats().totals.of(0, ColumnCount::kRequests), 100);
}

TEST_F(StatsTest, SkippedBatchesKeepNoMemoryWhileTheirWindowIsUsed) {
  options_.order.shuffle_window = kRows;
  options_.delivery.batch_size = 10;
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  const auto buffers = cursor_->resources().buffers;
  const int64_t of_all = buffers->bytes_in_use();
  EXPECT_EQ(*stream->Skip(90), 90);
  EXPECT_LT(buffers->bytes_in_use(), of_all / 2);
}

TEST_F(StatsTest, NothingStaysInFlightOfAnEpochWhoseEndIsSkipped) {
  options_.num_epochs = 2;
  options_.delivery.batch_size = 1;
  options_.max_batches_per_arena = 64;  // none of the last arena's 40 batches is taken
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  for (int i = 0; i < 930; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_EQ(*stream->Skip(80), 80);
  for (int i = 10; i < kRows; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_TRUE(NothingIsInFlight());
}

TEST_F(StatsTest, NothingStaysInFlightOfAnEpochThatAnotherIterationBegan) {
  options_.num_epochs = 2;
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  for (int i = 0; i < 34; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  const auto other = BatchStream::Make(cursor_, options_);
  ROWFEED_ASSERT_OK(other->Next(kLong, &batch));
  other->Close();
  for (int i = 0; i < 34; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_TRUE(NothingIsInFlight());
}

TEST_F(StatsTest, TimesOfStagesAreWithinTheTimeOfTasks) {
  ReadAll();
  const Totals totals = cursor_->stats().totals;
  int64_t stages = totals[Count::kShuffle] + totals[Count::kAssemble];
  for (size_t column = 0; column < 2; ++column) {
    for (const ColumnCount time : {ColumnCount::kRead, ColumnCount::kDecompress,
                                   ColumnCount::kDecode, ColumnCount::kGather}) {
      EXPECT_GE(totals.of(column, time), 0);
      stages += totals.of(column, time);
    }
    EXPECT_GT(totals.of(column, ColumnCount::kDecode), 0);
  }
  EXPECT_LE(stages, totals[Count::kBusy]);
  EXPECT_LE(totals[Count::kFirstWait], totals[Count::kWait]);
  EXPECT_LE(totals[Count::kWait], totals[Count::kElapsed]);
}

TEST_F(StatsTest, EachEpochHasItsOwn) {
  options_.num_epochs = 2;
  ReadAll();
  options_.num_epochs = 1;
  ReadAll();
  const Stats stats = cursor_->stats();
  ASSERT_EQ(stats.epochs.size(), 3);
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(stats.epochs[epoch].epoch, epoch);
    EXPECT_EQ(stats.epochs[epoch].totals[Count::kRows], kRows);
  }
  EXPECT_EQ(stats.totals[Count::kRows], 3 * kRows);
  EXPECT_EQ(stats.totals.of(0, ColumnCount::kReadBytes), 3 * ChunkBytes(0));
}

TEST_F(StatsTest, AnEpochThatIsLeftIsNotOneOfTheEpochs) {
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  stream->Close();
  ReadAll();
  const Stats stats = cursor_->stats();
  ASSERT_EQ(stats.epochs.size(), 1);
  EXPECT_EQ(stats.epochs[0].epoch, 1);
  EXPECT_EQ(stats.epochs[0].totals[Count::kRows], kRows);
  EXPECT_EQ(stats.totals[Count::kRows], kRows + 30);
}

TEST_F(StatsTest, NothingIsInFlightWhenAnIterationIsOver) {
  ReadAll();
  const Stats stats = cursor_->stats();
  const auto level = [&](Level which) { return stats.levels[size_t(which)]; };
  EXPECT_EQ(level(Level::kBytesInFlight), 0);
  EXPECT_EQ(level(Level::kRunningTasks), 0);
  EXPECT_GE(level(Level::kPeakBytes), 400 * 16);
}

TEST_F(StatsTest, ABudgetThatIsTooSmallIsSeen) {
  options_.memory_budget_bytes = 1;
  ReadAll();
  const Totals totals = cursor_->stats().totals;
  EXPECT_GT(totals[Count::kWindows], 0);
  EXPECT_EQ(totals[Count::kWindows], totals[Count::kOverBudget]);
  EXPECT_GT(totals[Count::kStopped], 0);
}

TEST_F(StatsTest, RowsOfABatchPerRowAreCountedOneByOne) {
  options_.delivery.batch_size = 1;
  options_.max_batches_per_arena = 100;
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  for (int i = 0; i < 7; ++i) ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_EQ(cursor_->stats().totals[Count::kRows], 7);
}

TEST_F(StatsTest, TheFirstOfSingleRowsWaitsForFewWindows) {
  options_.delivery.batch_size = 1;
  options_.max_batches_per_arena = 1000;
  options_.order.shuffle_window = 100;
  options_.memory_budget_bytes = 1;  // no window is admitted before it is needed
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_LE(cursor_->stats().totals[Count::kWindows], 2);
}

TEST_F(StatsTest, WhoTakesItsTimeForSingleRowsDoesNotSeemToWait) {
  options_.delivery.batch_size = 1;
  options_.max_batches_per_arena = 100;
  const auto stream = BatchStream::Make(cursor_, options_);
  Batch batch;
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  const int64_t before = cursor_->stats().totals[Count::kElapsed];
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_GE(cursor_->stats().totals[Count::kElapsed] - before, 20'000'000);
}

TEST(CountersTest, OnlyTheLatestEpochsAreKept) {
  Counters counters({CountedColumn{"x", ""}});
  for (int64_t epoch = 0; epoch < 100; ++epoch) {
    const Totals begin = counters.Read();
    counters.Add(Count::kRows, epoch);
    counters.EndEpoch(epoch, begin);
  }
  const Stats stats = counters.Report();
  EXPECT_EQ(stats.epochs.size(), 16);
  EXPECT_EQ(stats.epochs.back().epoch, 99);
  EXPECT_EQ(stats.epochs.back().totals[Count::kRows], 99);
}

TEST(CountersTest, JsonEscapesNames) {
  const Stats stats = Counters({CountedColumn{"a\"\\\n", "zstd"}}).Report();
  EXPECT_THAT(ToJson(stats), HasSubstr(R"("names":["a\"\\\u000a"],"codecs":["zstd"])"));
}

}  // namespace
}  // namespace rowfeed
