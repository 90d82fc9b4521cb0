// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/window_split.h"

#include <numeric>

namespace rowfeed {
namespace {

// Finds the piece that a row of the window lies in. A table that is indexed by the
// row's high bits gives the first candidate, so that a look-up is one load and rarely a
// step.
class PieceFinder {
 public:
  explicit PieceFinder(const std::vector<Piece>& pieces) {
    uint32_t end = 0;
    for (const Piece& piece : pieces) {
      begins_.push_back(end);
      ends_.push_back(end += piece.rows());
    }
    while ((end >> shift_) > kTableSize) ++shift_;
    uint32_t piece = 0;
    for (uint32_t high = 0; high <= (end >> shift_); ++high) {
      while (piece + 1 < ends_.size() && ends_[piece] <= (high << shift_)) ++piece;
      first_.push_back(piece);
    }
  }

  uint32_t Find(uint32_t row) const {
    uint32_t piece = first_[row >> shift_];
    while (row >= ends_[piece]) ++piece;
    return piece;
  }

  uint32_t begin(uint32_t piece) const { return begins_[piece]; }

 private:
  static constexpr uint32_t kTableSize = 1024;
  int shift_ = 0;
  std::vector<uint32_t> first_;
  std::vector<uint32_t> begins_;
  std::vector<uint32_t> ends_;
};

// Calls take(position, slot) for the rows of a run, by ascending slot.
template <typename Take>
void ForEachRow(const Run& run, const std::vector<Place>& places, const Take& take) {
  if (!places.empty()) {
    for (int64_t i = run.begin; i < run.begin + run.count; ++i) {
      take(places[i].position, places[i].slot);
    }
    return;
  }
  int64_t position = run.begin;
  int64_t slot = run.slot_begin;
  for (int64_t i = 0; i < run.count; ++i) {
    take(position, slot);
    position += run.step;
    slot += run.slot_step;
  }
}

}  // namespace

WindowSplit::WindowSplit(const std::vector<Piece>& pieces,
                         const std::vector<uint32_t>& permutation,
                         const std::vector<Run>& runs, const std::vector<Place>& places)
    : rows_(permutation.size() + 1),
      slots_(permutation.size() + 1),
      piece_begins_(pieces.size() + 1) {
  const PieceFinder finder(pieces);
  for (uint32_t piece = 0; piece < pieces.size(); ++piece) {
    wanted_.push_back({finder.begin(piece), finder.begin(piece)});
  }
  // For each piece, the number of segments up to its last one.
  std::vector<size_t> num_until(pieces.size());
  for (uint32_t run = 0; run < runs.size(); ++run) {
    const size_t first = segments_.size();
    run_begins_.push_back(static_cast<uint32_t>(first));
    ForEachRow(runs[run], places, [&](int64_t position, int64_t slot) {
      const uint32_t row = permutation[position];
      const uint32_t piece = finder.Find(row);
      const auto at = static_cast<uint32_t>(wanted_[piece].end++);
      rows_[at] = row - finder.begin(piece);
      slots_[at] = static_cast<uint32_t>(slot);
      if (num_until[piece] > first) return;
      segments_.push_back({piece, run, at, 0});
      num_until[piece] = segments_.size();
      ++piece_begins_[piece + 1];
    });
    for (size_t i = first; i < segments_.size(); ++i) {
      Segment& segment = segments_[i];
      segment.size = static_cast<uint32_t>(wanted_[segment.piece].end - segment.begin);
    }
  }
  run_begins_.push_back(static_cast<uint32_t>(segments_.size()));
  std::partial_sum(piece_begins_.begin(), piece_begins_.end(), piece_begins_.begin());
  std::vector<uint32_t> next(piece_begins_.begin(), piece_begins_.end() - 1);
  by_piece_.resize(segments_.size());
  for (uint32_t i = 0; i < segments_.size(); ++i) {
    by_piece_[next[segments_[i].piece]++] = i;
  }
}

void WindowSplit::MapRows(size_t piece, const std::vector<uint32_t>& rows) {
  if (rows.empty()) return;
  const Interval wanted = wanted_[piece];
  for (int64_t i = wanted.begin; i < wanted.end; ++i) rows_[i] = rows[rows_[i]];
}

}  // namespace rowfeed
