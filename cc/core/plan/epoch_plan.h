// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_EPOCH_PLAN_H_
#define ROWFEED_CORE_PLAN_EPOCH_PLAN_H_

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "core/export.h"
#include "core/fields.h"
#include "core/status.h"

namespace rowfeed {

// The options that decide the order of rows, together with the catalog and the epoch.
// Nothing else decides it.
struct OrderOptions {
  bool shuffle = false;
  uint64_t seed = 0;
  int64_t shuffle_window = 1;  // rows of a lane shuffled together
  int64_t block_rows = 0;      // most rows of a block; 0: a whole row group
  int64_t num_lanes = 1;
  static constexpr int64_t kMaxLanes = int64_t{1} << 20;

  static constexpr auto Fields() {
    return std::tuple(
        Field{"shuffle", &OrderOptions::shuffle}, Field{"seed", &OrderOptions::seed},
        Field{"shuffle_window", &OrderOptions::shuffle_window}.AtLeast(1),
        Field{"block_rows", &OrderOptions::block_rows}.AtLeast(1).OrUnset(0),
        Field{"num_lanes", &OrderOptions::num_lanes}.In(1, kMaxLanes));
  }
  Status Validate() const { return CheckFields(*this); }
};

// The rows that an epoch consists of.
struct EpochRows {
  using Counts = std::shared_ptr<const std::vector<int64_t>>;
  EpochRows() = default;
  EpochRows(Counts groups, Counts survivors = nullptr)  // NOLINT: implicit by design
      : groups(std::move(groups)), survivors(std::move(survivors)) {}

  Counts groups;  // number of rows of each row group
  // With a filter: the number of rows of each block that pass it. Blocks are in the
  // order of the catalog, and row groups are cut into blocks as plan/blocks.h says.
  // nullptr: there is no filter.
  Counts survivors;
};

// Rows [begin, end) of one row group. With a filter, they are numbered among the rows
// of a block that pass.
struct Piece {
  int64_t row_group;
  int64_t begin;
  int64_t end;
  int64_t block = -1;  // number of the block in the catalog; only with a filter

  int64_t rows() const { return end - begin; }
};

// Rows [begin, end) of one lane, which are shuffled together.
struct Window {
  int64_t lane;
  int64_t index;  // number of the window among the lane's windows
  int64_t begin;
  int64_t end;

  int64_t rows() const { return end - begin; }
};

// Computes the order of the rows of one epoch: blocks are permuted and laid in a line,
// the line is cut into lanes, and lanes into windows, as docs/order.md draws it. A pure
// function, and any position can be asked for: equal arguments give equal plans on
// every machine. Its memory grows with the number of blocks, not with rows.
class ROWFEED_EXPORT EpochPlan {
 public:
  // `options` must be valid. Survivors, if given, must be counted for
  // options.block_rows.
  EpochPlan(EpochRows rows, const OrderOptions& options, int64_t epoch);

  int64_t num_rows() const { return num_rows_; }
  int64_t num_lanes() const { return options_.num_lanes; }
  int64_t num_blocks() const { return static_cast<int64_t>(line_.size()); }

  // Row g of the epoch's global stream is row g / num_lanes of lane g % num_lanes.
  int64_t lane_rows(int64_t lane) const {
    return num_rows_ / num_lanes() + (lane < num_rows_ % num_lanes() ? 1 : 0);
  }

  int64_t num_windows(int64_t lane) const {
    return static_cast<int64_t>(window_ends_[lane].size());
  }
  Window window(int64_t lane, int64_t index) const;
  // Returns the window that holds row number `row` of the lane.
  Window WindowAt(int64_t lane, int64_t row) const;

  // Returns the rows of a window before shuffling, as pieces that lie end to end.
  std::vector<Piece> Pieces(const Window& window) const;
  // Returns the shuffled order of a window: its position t holds row result[t] of its
  // pieces.
  std::vector<uint32_t> Permutation(const Window& window) const;

 private:
  struct Block {
    int32_t row_group;
    int32_t part;  // number of the block among the row group's blocks
  };

  // Returns all rows of a block.
  Piece WholeBlock(const Block& block) const;
  int64_t LaneBegin(int64_t lane) const;
  void LayLine();
  void CutWindows(int64_t lane);

  const EpochRows rows_;
  const OrderOptions options_;
  const int64_t epoch_;
  int64_t num_rows_ = 0;
  // First block of each row group; only with a filter.
  std::vector<int64_t> first_blocks_;
  std::vector<Block> line_;
  std::vector<int64_t> line_ends_;  // end of each block, in rows of the line
  // For each lane the ends of its windows, counted in rows of the lane.
  std::vector<std::vector<int64_t>> window_ends_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_EPOCH_PLAN_H_
