// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_MIXTURE_H_
#define ROWFEED_CORE_PLAN_MIXTURE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/enum_table.h"
#include "core/export.h"
#include "core/status.h"

namespace rowfeed {

// Says where an epoch of a mixture ends.
enum class StopRule : uint8_t {
  kFirstExhausted,  // the epoch ends before a source would have to repeat a row
  kAllExhausted,    // the epoch ends once each source has given all of its rows
  kEndless,         // the epoch does not end
};

template <>
struct EnumTable<StopRule> {
  static constexpr auto kWhat = "stop";
  static constexpr std::array kNames = {"first_exhausted", "all_exhausted", "endless"};
};

// Says which source each round of a mixture comes from: a table of one period, in which
// source s has rounds[s] rounds, spread as evenly as possible. Before any round r, the
// number of rounds that a source has had differs by less than one from its share, r *
// rounds[s] / period. This is part of the order of rows.
class ROWFEED_EXPORT RoundTable {
 public:
  static constexpr int64_t kMaxPeriod = int64_t{1} << 16;

  static Status Validate(const std::vector<int64_t>& rounds);
  explicit RoundTable(const std::vector<int64_t>& rounds);

  int64_t period() const { return static_cast<int64_t>(sources_.size()); }
  size_t num_sources() const { return rounds_.size(); }
  size_t SourceOf(int64_t round) const { return sources_[round % period()]; }
  // Number of rounds in [0, round) that come from the source.
  int64_t RoundsBefore(size_t source, int64_t round) const;
  // Returns the round that is number `index` (from 0) among the source's rounds.
  int64_t RoundOf(size_t source, int64_t index) const;
  // Number of the source's rounds in one period.
  int64_t rounds(size_t source) const {
    return static_cast<int64_t>(rounds_[source].size());
  }

 private:
  std::vector<uint32_t> sources_;              // source of each round
  std::vector<std::vector<uint32_t>> rounds_;  // each source's rounds in a period
};

// Computes which source each row of a mixture's epoch comes from. With L lanes, round k
// is rows [k L, (k + 1) L) of the global stream. All rows of a round come from one
// source: they are the next L rows of the source's own stream, which has no end, as it
// is the source's epochs one after the other.
class Mixture {
 public:
  // Number of rows of an epoch without end: more than anybody will ask for.
  static constexpr int64_t kEndlessRows = int64_t{1} << 62;

  // `source_rows`: number of rows in one epoch of each source. If one is 0, the mixture
  // has no rows.
  Mixture(RoundTable table, std::vector<int64_t> source_rows, int64_t num_lanes,
          StopRule stop);

  int64_t num_rows() const { return num_rows_; }
  int64_t source_rows(size_t source) const { return source_rows_[source]; }
  size_t num_sources() const { return source_rows_.size(); }
  const RoundTable& table() const { return table_; }

  // Returns the row of the global stream that is row `row` of the source's own stream.
  int64_t RowOf(size_t source, int64_t row) const;
  // Returns how many rows before row `row` of the global stream come from the source.
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
