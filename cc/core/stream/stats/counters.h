// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_STATS_COUNTERS_H_
#define ROWFEED_CORE_STREAM_STATS_COUNTERS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "core/stopwatch.h"
#include "core/stream/stats/stats.h"
#include "core/stream/stats/task_spans.h"

namespace rowfeed {

// The sums that the tasks and consumers of a cursor add to. Adding takes no lock, and a
// task adds a few numbers, once. Thread-safe.
class Counters {
 public:
  explicit Counters(std::vector<CountedColumn> columns, TaskSpans spans = {});

  const std::vector<CountedColumn>& columns() const { return columns_; }
  const TaskSpans& spans() const { return spans_; }
  // The filter's index, which comes after those of the columns.
  size_t filter() const { return columns_.size(); }

  void Add(Count count, int64_t n) { Add(&counts_[static_cast<size_t>(count)], n); }
  void Add(size_t column, ColumnCount count, int64_t n) {
    Add(&column_counts_[column][static_cast<size_t>(count)], n);
  }
  void Add(Level level, int64_t n) { Add(&levels_[static_cast<size_t>(level)], n); }
  // Adds to Level::kBytesInFlight, and raises Level::kPeakBytes to it.
  void AddBytesInFlight(int64_t n);

  Totals Read() const;
  // Keeps what was added since `begin` as the totals of an epoch. Returns the totals of
  // now.
  Totals EndEpoch(int64_t epoch, const Totals& begin);
  // Returns everything that was counted.
  Stats Report() const;

 private:
  using Cell = std::atomic<int64_t>;
  static void Add(Cell* cell, int64_t n) {
    cell->fetch_add(n, std::memory_order_relaxed);
  }

  const std::vector<CountedColumn> columns_;
  const TaskSpans spans_;
  std::array<Cell, kNumCounts> counts_{};
  std::array<Cell, kNumLevels> levels_{};
  std::vector<std::array<Cell, kNumColumnCounts>> column_counts_;
  mutable std::mutex mutex_;
  std::deque<EpochTotals> epochs_;  // guarded by mutex_
};

// Counts the time of one task as that of a busy thread. It is also a span of the
// framework's profiler, if there is one.
class TaskTimer {
 public:
  explicit TaskTimer(Counters* counters) : counters_(counters) {
    counters_->Add(Level::kRunningTasks, 1);
    if (counters_->spans().begin) span_ = counters_->spans().begin("Rowfeed::Task");
  }
  ~TaskTimer() {
    if (counters_->spans().end) counters_->spans().end(span_);
    counters_->Add(Count::kBusy, watch_.ns());
    counters_->Add(Level::kRunningTasks, -1);
  }
  TaskTimer(const TaskTimer&) = delete;
  TaskTimer& operator=(const TaskTimer&) = delete;

 private:
  Counters* const counters_;
  const Stopwatch watch_;
  int64_t span_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_COUNTERS_H_
