// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/epoch_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/ceil_div.h"
#include "core/plan/blocks.h"
#include "core/plan/random.h"

namespace rowfeed {
namespace {

// First words of the random keys. They differ, so that no two uses share a sequence of
// numbers.
constexpr uint64_t kLineKey = 1;
constexpr uint64_t kWindowKey = 2;

}  // namespace

EpochPlan::EpochPlan(EpochRows rows, const OrderOptions& options, int64_t epoch)
    : rows_(std::move(rows)), options_(options), epoch_(epoch) {
  LayLine();
  window_ends_.resize(num_lanes());
  for (int64_t lane = 0; lane < num_lanes(); ++lane) CutWindows(lane);
}

Piece EpochPlan::WholeBlock(const Block& block) const {
  if (rows_.survivors) {
    const int64_t index = first_blocks_[block.row_group] + block.part;
    return {block.row_group, 0, (*rows_.survivors)[index], index};
  }
  const Interval rows =
      BlockRows((*rows_.groups)[block.row_group], options_.block_rows, block.part);
  return {block.row_group, rows.begin, rows.end};
}

int64_t EpochPlan::LaneBegin(int64_t lane) const {
  return lane * (num_rows_ / num_lanes()) + std::min(lane, num_rows_ % num_lanes());
}

void EpochPlan::LayLine() {
  const auto num_groups = static_cast<int32_t>(rows_.groups->size());
  int64_t num_blocks = 0;
  for (int32_t group = 0; group < num_groups; ++group) {
    const auto parts =
        static_cast<int32_t>(NumBlocks((*rows_.groups)[group], options_.block_rows));
    if (rows_.survivors) first_blocks_.push_back(num_blocks);
    for (int32_t part = 0; part < parts; ++part, ++num_blocks) {
      if (rows_.survivors && (*rows_.survivors)[num_blocks] == 0) continue;
      line_.push_back({group, part});
    }
  }
  if (options_.shuffle) {
    Random({kLineKey, options_.seed, static_cast<uint64_t>(epoch_)})
        .Shuffle(line_.data(), line_.size());
  }
  line_ends_.reserve(line_.size());
  for (const Block& block : line_) {
    num_rows_ += WholeBlock(block).rows();
    line_ends_.push_back(num_rows_);
  }
}

void EpochPlan::CutWindows(int64_t lane) {
  const int64_t lane_begin = LaneBegin(lane);
  const int64_t rows = lane_rows(lane);
  // Without shuffling, a window is only a unit of work: one block. With shuffling, the
  // first windows of lanes have different sizes, so that not all lanes begin a new
  // window at once.
  const int64_t window_rows = options_.shuffle ? options_.shuffle_window : 1;
  int64_t target = static_cast<int64_t>(
      (static_cast<unsigned __int128>(window_rows) * (lane + 1) + num_lanes() - 1) /
      num_lanes());
  std::vector<int64_t>& ends = window_ends_[lane];
  int64_t begin = 0;
  auto block = std::upper_bound(line_ends_.begin(), line_ends_.end(), lane_begin);
  while (begin < rows) {
    const int64_t end = std::min(*block++ - lane_begin, rows);
    if (end - begin >= target || end == rows) {
      ends.push_back(end);
      if (end < rows) begin = end;
      target = window_rows;
    }
    if (end == rows) break;
  }
  // A last window of less than half the size is joined to the one before.
  if (ends.size() > 1 && rows - begin < CeilDiv(window_rows, 2)) {
    ends.pop_back();
    ends.back() = rows;
  }
}

Window EpochPlan::window(int64_t lane, int64_t index) const {
  const std::vector<int64_t>& ends = window_ends_[lane];
  return {lane, index, index == 0 ? 0 : ends[index - 1], ends[index]};
}

Window EpochPlan::WindowAt(int64_t lane, int64_t row) const {
  const std::vector<int64_t>& ends = window_ends_[lane];
  return window(lane, std::upper_bound(ends.begin(), ends.end(), row) - ends.begin());
}

std::vector<Piece> EpochPlan::Pieces(const Window& window) const {
  const int64_t begin = LaneBegin(window.lane) + window.begin;
  const int64_t end = LaneBegin(window.lane) + window.end;
  std::vector<Piece> pieces;
  auto at = std::upper_bound(line_ends_.begin(), line_ends_.end(), begin);
  for (; at != line_ends_.end(); ++at) {
    Piece piece = WholeBlock(line_[at - line_ends_.begin()]);
    const int64_t line_begin = *at - piece.rows();
    if (line_begin >= end) break;
    piece.end -= std::max<int64_t>(0, *at - end);
    piece.begin += std::max<int64_t>(0, begin - line_begin);
    pieces.push_back(piece);
  }
  return pieces;
}

std::vector<uint32_t> EpochPlan::Permutation(const Window& window) const {
  std::vector<uint32_t> permutation(window.rows());
  std::iota(permutation.begin(), permutation.end(), 0U);
  if (options_.shuffle) {
    Random({kWindowKey, options_.seed, static_cast<uint64_t>(epoch_),
            static_cast<uint64_t>(window.lane), static_cast<uint64_t>(window.index)})
        .Shuffle(permutation.data(), permutation.size());
  }
  return permutation;
}

}  // namespace rowfeed
