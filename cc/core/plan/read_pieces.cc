// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/read_pieces.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace rowfeed {

ReadPieces::ReadPieces(std::vector<Piece> planned, const std::vector<Interval>* spans,
                       int64_t most_rows)
    : planned_(std::move(planned)) {
  // Blocks of which no row passes have no span that could be merged.
  std::erase_if(planned_, [](const Piece& piece) { return piece.rows() == 0; });
  const auto extent_of = [&](const Piece& piece) -> Interval {
    if (spans != nullptr) return (*spans)[piece.block];
    return {piece.begin, piece.end};
  };
  std::vector<size_t> order(planned_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto key = [&](size_t i) {
    return std::tuple(planned_[i].row_group, extent_of(planned_[i]).begin);
  };
  if (most_rows > 0) std::ranges::sort(order, {}, key);
  for (size_t i = 0; i < order.size(); ++i) {
    const Piece& piece = planned_[order[i]];
    const Interval extent = extent_of(piece);
    if (most_rows > 0 && i > 0 && pieces_.back().row_group == piece.row_group &&
        extent.end - extents_.back().begin <= most_rows) {
      Piece& merged = pieces_.back();
      merged = {merged.row_group, 0, merged.rows() + piece.rows()};
      extents_.back().end = extent.end;
      continue;
    }
    begins_.push_back(i);
    pieces_.push_back(piece);
    extents_.push_back(extent);
  }
  begins_.push_back(order.size());
  if (std::ranges::is_sorted(order)) return;

  std::vector<Piece> sorted;
  moved_.resize(order.size());
  int64_t begin = 0;
  for (const size_t i : order) {
    sorted.push_back(planned_[i]);
    moved_[i] = {begin, begin + planned_[i].rows()};
    begin = moved_[i].end;
  }
  planned_ = std::move(sorted);
}

void ReadPieces::Renumber(std::vector<uint32_t>* rows) const {
  if (moved_.empty()) return;
  std::vector<uint32_t> moved;
  moved.reserve(rows->size());
  for (const Interval& to : moved_) {
    for (int64_t row = to.begin; row < to.end; ++row) {
      moved.push_back(static_cast<uint32_t>(row));
    }
  }
  for (uint32_t& row : *rows) row = moved[row];
}

}  // namespace rowfeed
