// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_WINDOW_SPLIT_H_
#define ROWFEED_CORE_BATCH_WINDOW_SPLIT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/decode/blocks/column_block.h"
#include "core/plan/blocks.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"

namespace rowfeed {

// The shuffle of one window, grouped by where rows come from and where they go: which
// rows of a piece fill which slots of a run's batch. It is made once for each window
// and used by every column. This list of indexes is all the shuffling there is.
class WindowSplit {
 public:
  // The rows of one piece that one run wants. There is at least one.
  struct Segment {
    uint32_t piece;
    uint32_t run;
    uint32_t begin;
    uint32_t size;
  };
  // The memory that a segment takes, without its rows.
  static constexpr int64_t kSegmentBytes = sizeof(Segment) + sizeof(uint32_t);

  WindowSplit(const std::vector<Piece>& pieces,
              const std::vector<uint32_t>& permutation, const std::vector<Run>& runs,
              const std::vector<Place>& places);

  // Tells that row i of a piece is row rows[i] of its decoded block. Empty `rows`: it
  // is row i.
  void MapRows(size_t piece, const std::vector<uint32_t>& rows);

  // Returns all rows of a piece that runs want, run by run.
  Selection rows(size_t piece) const {
    const Interval rows = wanted_[piece];
    return {&rows_[rows.begin], &slots_[rows.begin], rows.size()};
  }
  // Returns the segments of a run in any order: one for each piece that has rows for
  // it.
  std::span<const Segment> of_run(size_t run) const {
    return {segments_.data() + run_begins_[run],
            segments_.data() + run_begins_[run + 1]};
  }
  // Calls use(segment) for the segments of a piece, by ascending run.
  template <typename Use>
  void ForEach(size_t piece, const Use& use) const {
    for (uint32_t i = piece_begins_[piece]; i < piece_begins_[piece + 1]; ++i) {
      use(segments_[by_piece_[i]]);
    }
  }
  // Returns the rows of a segment. They are counted from the piece's begin, or as
  // MapRows says.
  Selection selection(const Segment& segment) const {
    return {&rows_[segment.begin], &slots_[segment.begin], segment.size};
  }
  // Returns the rows of a segment as indexes into rows(piece).
  RowRun places(const Segment& segment) const {
    return {segment.begin - wanted_[segment.piece].begin, &slots_[segment.begin],
            segment.size};
  }

 private:
  // The wanted rows of each piece, and their slots, piece by piece. Each piece has room
  // for all its rows, in the order of their positions.
  std::vector<uint32_t> rows_;
  std::vector<uint32_t> slots_;
  std::vector<Interval> wanted_;  // for each piece, the part of rows_ and slots_ in use
  std::vector<Segment> segments_;     // ordered by run
  std::vector<uint32_t> run_begins_;  // the first segment of each run, and the end
  std::vector<uint32_t> by_piece_;    // indexes into segments_, piece by piece
  // Where each piece begins in by_piece_, and the end.
  std::vector<uint32_t> piece_begins_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_WINDOW_SPLIT_H_
