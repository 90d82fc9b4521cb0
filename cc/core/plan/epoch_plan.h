// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_EPOCH_PLAN_H_
#define ROWFEED_CORE_PLAN_EPOCH_PLAN_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// What decides the order of rows, beside the catalog and the epoch. Nothing else does.
struct OrderOptions {
  bool shuffle = false;
  uint64_t seed = 0;
  int64_t shuffle_window = 1;  // rows per lane, >= 1; without effect if !shuffle
  int64_t block_rows = 0;      // 0: a block is a whole row group
  int64_t num_lanes = 1;
  static constexpr int64_t kMaxLanes = int64_t{1} << 20;

  Status Validate() const;
};

// The rows that epochs are made of.
struct EpochRows {
  using Counts = std::shared_ptr<const std::vector<int64_t>>;
  EpochRows() = default;
  EpochRows(Counts groups, Counts survivors = nullptr)  // NOLINT: implicit by design
      : groups(std::move(groups)), survivors(std::move(survivors)) {}

  Counts groups;  // rows of each row group
  // Under a filter, how many rows of each block it lets pass; blocks in the order of
  // the catalog, cut as plan/blocks.h says. nullptr: all.
  Counts survivors;
};

// Rows [begin, end) of one row group; under a filter, of a block's survivors.
struct Piece {
  int64_t row_group;
  int64_t begin;
  int64_t end;
  int64_t block = -1;  // under a filter: in the order of the catalog

  int64_t rows() const { return end - begin; }
};

// Rows [begin, end) of one lane, shuffled together.
struct Window {
  int64_t lane;
  int64_t index;  // of the lane's windows
  int64_t begin;
  int64_t end;

  int64_t rows() const { return end - begin; }
};

// In what ORDER the rows of one epoch come: blocks, the permuted line, lanes, windows,
// as docs/order.md draws them. Pure and seekable: equal arguments give equal plans on
// every machine. Memory grows with blocks, never with rows.
class EpochPlan {
 public:
  // `options` must be valid; survivors, if any, those of options.block_rows.
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
  // The window that holds `row` of the lane.
  Window WindowAt(int64_t lane, int64_t row) const;

  // The source rows of a window, end to end.
  std::vector<Piece> Pieces(const Window& window) const;
  // Position t of the window holds row result[t] of its pieces.
  std::vector<uint32_t> Permutation(const Window& window) const;

 private:
  struct Block {
    int32_t row_group;
    int32_t part;  // of the row group's blocks
  };

  // All rows of the line's block.
  Piece WholeBlock(const Block& block) const;
  int64_t LaneBegin(int64_t lane) const;
  void LayLine();
  void CutWindows(int64_t lane);

  const EpochRows rows_;
  const OrderOptions options_;
  const int64_t epoch_;
  int64_t num_rows_ = 0;
  std::vector<int64_t> first_blocks_;  // of each row group, under a filter
  std::vector<Block> line_;
  std::vector<int64_t> line_ends_;                 // of each block, in rows of the line
  std::vector<std::vector<int64_t>> window_ends_;  // per lane, in rows of the lane
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_EPOCH_PLAN_H_
