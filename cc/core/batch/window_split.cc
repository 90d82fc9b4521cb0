// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/window_split.h"

namespace rowfeed {
namespace {

// Which piece a row of the window lies in: a table of the rows' high bits leads to the
// first candidate, so that a look-up is one load and rarely a step.
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
    : num_pieces_(pieces.size()),
      rows_(permutation.size() + 1),
      slots_(permutation.size() + 1),
      run_begins_((runs.size() + 1) * pieces.size()) {
  const PieceFinder finder(pieces);
  std::vector<uint32_t> ends(num_pieces_);
  for (uint32_t piece = 0; piece < num_pieces_; ++piece)
    ends[piece] = finder.begin(piece);
  uint32_t* begins = run_begins_.data();
  for (const Run& run : runs) {
    for (const uint32_t end : ends) *begins++ = end;
    ForEachRow(run, places, [&](int64_t position, int64_t slot) {
      const uint32_t row = permutation[position];
      const uint32_t piece = finder.Find(row);
      const uint32_t at = ends[piece]++;
      rows_[at] = row - finder.begin(piece);
      slots_[at] = static_cast<uint32_t>(slot);
    });
  }
  for (const uint32_t end : ends) *begins++ = end;
}

void WindowSplit::MapRows(size_t piece, const std::vector<uint32_t>& rows) {
  if (rows.empty()) return;
  const uint32_t end = run_begins_[run_begins_.size() - num_pieces_ + piece];
  for (uint32_t i = run_begins_[piece]; i < end; ++i) rows_[i] = rows[rows_[i]];
}

}  // namespace rowfeed
