// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_READ_PIECES_H_
#define ROWFEED_CORE_PLAN_READ_PIECES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan/blocks.h"
#include "core/plan/epoch_plan.h"

namespace rowfeed {

// The pieces of a window in the order in which they are read. Pieces of one row group
// that lie near each other are read as one, so that a page that several of them share
// is read and decoded once.
class ReadPieces {
 public:
  // `planned`: the pieces of the window, as EpochPlan::Pieces returns them. `spans`:
  // with a filter, for each block of the catalog the rows of the row group from its
  // first row that passes to its last one; nullptr: there is no filter. `most_rows`:
  // the most rows of a row group that a merged piece extends over; 0: none is merged.
  ReadPieces(std::vector<Piece> planned, const std::vector<Interval>* spans,
             int64_t most_rows);

  // Returns the pieces that are read, in the order of the read.
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Returns rows of the row group that contain all rows of a piece.
  Interval extent(size_t piece) const { return extents_[piece]; }
  // Returns the planned pieces that a piece consists of. They ascend.
  std::span<const Piece> planned(size_t piece) const {
    return {planned_.data() + begins_[piece], planned_.data() + begins_[piece + 1]};
  }
  // Changes the numbers of rows of the window. They count rows of the planned pieces,
  // and count rows of pieces() from then on.
  void Renumber(std::vector<uint32_t>* rows) const;

 private:
  std::vector<Piece> planned_;  // in the order of the read
  // For each planned piece, in the order of the plan, the numbers that its rows have in
  // the order of the read. Empty if the orders are equal.
  std::vector<Interval> moved_;
  std::vector<size_t> begins_;  // for each piece its first planned piece, and the end
  std::vector<Piece> pieces_;
  std::vector<Interval> extents_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_READ_PIECES_H_
