// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_WINDOW_SPLIT_H_
#define ROWFEED_CORE_BATCH_WINDOW_SPLIT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/decode/column_block.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"

namespace rowfeed {

// The shuffle of one window, sorted by where rows come from and where they go: for each
// piece and run, which rows of the piece fill which slots of the run's batch. Made once
// per window and used by every column; this index list is all the shuffling there is.
class WindowSplit {
 public:
  WindowSplit(const std::vector<Piece>& pieces,
              const std::vector<uint32_t>& permutation, const std::vector<Run>& runs,
              const std::vector<Place>& places);

  // Says that row i of a piece is row `rows`[i] of its block; empty: row i.
  void MapRows(size_t piece, const std::vector<uint32_t>& rows);

  // All rows of a piece that a run wants, run by run.
  Selection rows(size_t piece) const {
    const uint32_t begin = run_begins_[piece];
    const uint32_t end = run_begins_[run_begins_.size() - num_pieces_ + piece];
    return {&rows_[begin], &slots_[begin], end - begin};
  }
  // Those of one run, as places in rows(piece).
  RowRun run(size_t piece, size_t run) const {
    const Selection part = selection(piece, run);
    return {part.rows - &rows_[run_begins_[piece]], part.slots, part.size};
  }
  // Rows are counted from the piece's begin, or as MapRows says.
  Selection selection(size_t piece, size_t run) const {
    const uint32_t begin = run_begins_[run * num_pieces_ + piece];
    const uint32_t end = run_begins_[(run + 1) * num_pieces_ + piece];
    return {&rows_[begin], &slots_[begin], end - begin};
  }

 private:
  size_t num_pieces_;
  // Piece major: each piece has room for all its rows, in the order of their positions.
  std::vector<uint32_t> rows_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> run_begins_;  // run major, one more run than there are
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_WINDOW_SPLIT_H_
