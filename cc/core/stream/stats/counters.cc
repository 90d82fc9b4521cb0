// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/stats/counters.h"

#include <utility>

namespace rowfeed {
namespace {

constexpr size_t kMaxEpochs = 16;

}  // namespace

Totals Totals::Since(const Totals& before) const {
  Totals since = *this;
  for (size_t i = 0; i < counts.size(); ++i) since.counts[i] -= before.counts[i];
  for (size_t column = 0; column < columns.size(); ++column) {
    for (size_t i = 0; i < kNumColumnCounts; ++i) {
      since.columns[column][i] -= before.columns[column][i];
    }
  }
  return since;
}

Counters::Counters(std::vector<CountedColumn> columns, TaskSpans spans)
    : columns_(std::move(columns)),
      spans_(spans),
      column_counts_(columns_.size() + 1) {}

void Counters::AddBytesInFlight(int64_t n) {
  Cell& bytes = levels_[static_cast<size_t>(Level::kBytesInFlight)];
  const int64_t now = bytes.fetch_add(n, std::memory_order_relaxed) + n;
  Cell& peak = levels_[static_cast<size_t>(Level::kPeakBytes)];
  int64_t most = peak.load(std::memory_order_relaxed);
  while (now > most &&
         !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}

Totals Counters::Read() const {
  const auto read = [](const Cell& cell) {
    return cell.load(std::memory_order_relaxed);
  };
  Totals totals;
  for (size_t i = 0; i < kNumCounts; ++i) totals.counts[i] = read(counts_[i]);
  totals.columns.resize(column_counts_.size());
  for (size_t column = 0; column < column_counts_.size(); ++column) {
    for (size_t i = 0; i < kNumColumnCounts; ++i) {
      totals.columns[column][i] = read(column_counts_[column][i]);
    }
  }
  return totals;
}

Totals Counters::EndEpoch(int64_t epoch, const Totals& begin) {
  Totals end = Read();
  const std::lock_guard lock(mutex_);
  epochs_.push_back({epoch, end.Since(begin)});
  if (epochs_.size() > kMaxEpochs) epochs_.pop_front();
  return end;
}

Stats Counters::Report() const {
  Stats stats;
  stats.columns = columns_;
  stats.totals = Read();
  for (size_t i = 0; i < kNumLevels; ++i) {
    stats.levels[i] = levels_[i].load(std::memory_order_relaxed);
  }
  const std::lock_guard lock(mutex_);
  stats.epochs = epochs_;
  return stats;
}

}  // namespace rowfeed
