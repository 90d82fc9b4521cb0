// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/mixture.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "core/ceil_div.h"

namespace rowfeed {

Status RoundTable::Validate(const std::vector<int64_t>& rounds) {
  if (rounds.empty()) return Status::Invalid("a mixture needs a source");
  int64_t period = 0;
  for (const int64_t own : rounds) {
    if (own < 1 || own > kMaxPeriod) {
      return Status::Invalid("rounds of a source must be in [1, ", kMaxPeriod,
                             "], not ", own);
    }
    period += own;
    if (period > kMaxPeriod) {
      return Status::Invalid("a period of more than ", kMaxPeriod, " rounds");
    }
  }
  return {};
}

// A source with q of the P rounds in a period stays within one round of its share if
// its n-th round (from 0) lies in [floor(n P / q), ceil((n + 1) P / q)). Such unit jobs
// with a window each, which together fill the period, can always all be scheduled.
// Earliest deadline first schedules them; of two equal deadlines, the source with the
// lower number goes first.
RoundTable::RoundTable(const std::vector<int64_t>& rounds) : rounds_(rounds.size()) {
  const int64_t period = std::accumulate(rounds.begin(), rounds.end(), int64_t{0});
  // `later`: sources whose next window has not begun, ordered by its begin. `now`: the
  // others, ordered by its end.
  using Queue = std::priority_queue<std::pair<int64_t, size_t>,
                                    std::vector<std::pair<int64_t, size_t>>,
                                    std::greater<std::pair<int64_t, size_t>>>;
  Queue later;
  Queue now;
  for (size_t source = 0; source < rounds.size(); ++source) later.emplace(0, source);
  sources_.reserve(period);
  for (int64_t round = 0; round < period; ++round) {
    for (; !later.empty() && later.top().first <= round; later.pop()) {
      const size_t source = later.top().second;
      const int64_t had = this->rounds(source);
      now.emplace(CeilDiv((had + 1) * period, rounds[source]), source);
    }
    const size_t best = now.top().second;
    now.pop();
    sources_.push_back(static_cast<uint32_t>(best));
    rounds_[best].push_back(static_cast<uint32_t>(round));
    later.emplace(this->rounds(best) * period / rounds[best], best);
  }
}

int64_t RoundTable::RoundsBefore(size_t source, int64_t round) const {
  const std::vector<uint32_t>& own = rounds_[source];
  const auto in_period =
      std::lower_bound(own.begin(), own.end(), static_cast<uint32_t>(round % period()));
  return round / period() * rounds(source) + (in_period - own.begin());
}

int64_t RoundTable::RoundOf(size_t source, int64_t index) const {
  const int64_t own = rounds(source);
  return index / own * period() + rounds_[source][index % own];
}

Mixture::Mixture(RoundTable table, std::vector<int64_t> source_rows, int64_t num_lanes,
                 StopRule stop)
    : table_(std::move(table)),
      source_rows_(std::move(source_rows)),
      num_lanes_(num_lanes),
      num_rows_(NumRows(stop)) {}

int64_t Mixture::RowOf(size_t source, int64_t row) const {
  return table_.RoundOf(source, row / num_lanes_) * num_lanes_ + row % num_lanes_;
}

int64_t Mixture::RowsBefore(size_t source, int64_t row) const {
  const int64_t round = row / num_lanes_;
  return table_.RoundsBefore(source, round) * num_lanes_ +
         (table_.SourceOf(round) == source ? row % num_lanes_ : 0);
}

int64_t Mixture::NumRows(StopRule stop) const {
  const auto least = std::min_element(source_rows_.begin(), source_rows_.end());
  if (*least == 0) return 0;
  if (stop == StopRule::kEndless) return kEndlessRows;
  const bool first = stop == StopRule::kFirstExhausted;
  int64_t rows = first ? kEndlessRows : 0;
  for (size_t source = 0; source < num_sources(); ++source) {
    // A source so large that the number of rows would overflow counts as endless.
    if (source_rows_[source] > kEndlessRows / RoundTable::kMaxPeriod) {
      if (!first) return kEndlessRows;
      continue;
    }
    rows = first ? std::min(rows, RowOf(source, source_rows_[source]))
                 : std::max(rows, RowOf(source, source_rows_[source] - 1) + 1);
  }
  return rows;
}

}  // namespace rowfeed
