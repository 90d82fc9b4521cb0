// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_MIXTURE_H_
#define ROWFEED_CORE_PLAN_MIXTURE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// Where an epoch of a mixture ends.
enum class StopRule : uint8_t {
  kFirstExhausted,  // before the first row that a source would have to give again
  kAllExhausted,    // behind the row with which every source has given all of its rows
  kEndless,         // nowhere
};

// Which source each round of a mixture comes from: a table of one period, in which
// source s has rounds[s] rounds, as evenly as can be. Before any round r a source has
// had less than one round more or less than its share, r * rounds[s] / period. Part of
// the order of rows.
class RoundTable {
 public:
  static constexpr int64_t kMaxPeriod = int64_t{1} << 16;

  static Status Validate(const std::vector<int64_t>& rounds);
  explicit RoundTable(const std::vector<int64_t>& rounds);

  int64_t period() const { return static_cast<int64_t>(sources_.size()); }
  size_t num_sources() const { return rounds_.size(); }
  size_t SourceOf(int64_t round) const { return sources_[round % period()]; }
  // Rounds of the source in [0, round).
  int64_t RoundsBefore(size_t source, int64_t round) const;
  // The round in which the source comes for the time `index`, from 0.
  int64_t RoundOf(size_t source, int64_t index) const;
  // Of the source, in one period.
  int64_t rounds(size_t source) const {
    return static_cast<int64_t>(rounds_[source].size());
  }

 private:
  std::vector<uint32_t> sources_;              // by round
  std::vector<std::vector<uint32_t>> rounds_;  // of each source
};

// The rows of one epoch of a mixture, as arithmetic. Round k is rows [k L, (k + 1) L)
// of the global stream, L lanes, and all of it comes from one source: the next L rows
// of the source's own stream. That has no end: it is epoch after epoch of the source.
class Mixture {
 public:
  // The rows of an epoch without end: more than anybody will ask for.
  static constexpr int64_t kEndlessRows = int64_t{1} << 62;

  // `source_rows`: of an epoch of each source. If one is 0, there are no rows.
  Mixture(RoundTable table, std::vector<int64_t> source_rows, int64_t num_lanes,
          StopRule stop);

  int64_t num_rows() const { return num_rows_; }
  int64_t source_rows(size_t source) const { return source_rows_[source]; }
  size_t num_sources() const { return source_rows_.size(); }
  const RoundTable& table() const { return table_; }

  // The row of the global stream that is row `row` of the source's own.
  int64_t RowOf(size_t source, int64_t row) const;
  // How many rows before row `row` of the global stream come from the source.
  int64_t RowsBefore(size_t source, int64_t row) const;

 private:
  int64_t NumRows(StopRule stop) const;

  const RoundTable table_;
  const std::vector<int64_t> source_rows_;
  const int64_t num_lanes_;
  const int64_t num_rows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_MIXTURE_H_
