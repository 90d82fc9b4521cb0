// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/window_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace rowfeed {
namespace {

// Pieces of random sizes, of which `rows` is the sum.
std::vector<Piece> RandomPieces(std::mt19937* random, int64_t* rows) {
  std::vector<Piece> pieces((*random)() % 20 + 1);
  *rows = 0;
  for (Piece& piece : pieces) {
    piece.begin = (*random)() % 5;
    piece.end = piece.begin + (*random)() % 9 + 1;
    *rows += piece.rows();
  }
  return pieces;
}

// Which rows of which piece fill the slots of a run, as its positions say.
using Wanted = std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>>;

Wanted RowsOf(const Run& run, const std::vector<Piece>& pieces,
              const std::vector<uint32_t>& permutation) {
  Wanted wanted;
  for (int64_t i = 0; i < run.count; ++i) {
    int64_t row = permutation[run.begin + i * run.step];
    uint32_t piece = 0;
    for (; row >= pieces[piece].rows(); ++piece) row -= pieces[piece].rows();
    wanted[piece].emplace_back(row, run.slot_begin + i * run.slot_step);
  }
  return wanted;
}

TEST(WindowSplitTest, SegmentsAreTheRowsOfEachPieceThatARunWants) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    int64_t rows;
    const std::vector<Piece> pieces = RandomPieces(&random, &rows);
    std::vector<uint32_t> permutation(rows);
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random);
    std::vector<Run> runs;
    for (int64_t begin = random() % 3; begin < rows;) {
      const int64_t step = random() % 2 + 1;
      const int64_t count =
          std::min<int64_t>(random() % 8 + 1, 1 + (rows - 1 - begin) / step);
      runs.push_back({std::ssize(runs), begin, step, count, 3, 2});
      begin += step * count;
    }
    const WindowSplit split(pieces, permutation, runs, {});
    std::vector<int64_t> num_wanted(pieces.size());
    for (size_t run = 0; run < runs.size(); ++run) {
      Wanted wanted = RowsOf(runs[run], pieces, permutation);
      EXPECT_EQ(split.of_run(run).size(), wanted.size());
      for (const WindowSplit::Segment& segment : split.of_run(run)) {
        EXPECT_EQ(segment.run, run);
        const Selection selection = split.selection(segment);
        const RowRun places = split.places(segment);
        EXPECT_EQ(places.begin, num_wanted[segment.piece]);
        num_wanted[segment.piece] += segment.size;
        const Selection all = split.rows(segment.piece);
        std::vector<std::pair<uint32_t, uint32_t>> found;
        for (int64_t i = 0; i < selection.size; ++i) {
          EXPECT_EQ(selection.rows[i], all.rows[places.begin + i]);
          EXPECT_EQ(selection.slots[i], places.slots[i]);
          found.emplace_back(selection.rows[i], selection.slots[i]);
        }
        EXPECT_EQ(found, wanted[segment.piece]);
      }
    }
    for (size_t piece = 0; piece < pieces.size(); ++piece) {
      EXPECT_EQ(split.rows(piece).size, num_wanted[piece]);
      int64_t in_piece = 0;
      int64_t last = -1;
      split.ForEach(piece, [&](const WindowSplit::Segment& segment) {
        EXPECT_EQ(segment.piece, piece);
        EXPECT_GT(segment.run, last);
        last = segment.run;
        in_piece += segment.size;
      });
      EXPECT_EQ(in_piece, num_wanted[piece]);
    }
  }
}

// One row of each of many pieces in each run: the index is of the rows.
TEST(WindowSplitTest, TheIndexGrowsWithTheRowsNotWithRunsTimesPieces) {
  constexpr int64_t kPieces = 2000;
  constexpr int64_t kRuns = 500;
  std::vector<Piece> pieces(kPieces);
  for (Piece& piece : pieces) piece.end = 2;
  std::vector<uint32_t> permutation(2 * kPieces);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::vector<Run> runs;
  for (int64_t run = 0; run < kRuns; ++run) runs.push_back({run, run * 8, 1, 8, 0, 1});
  const WindowSplit split(pieces, permutation, runs, {});
  size_t num_segments = 0;
  for (size_t run = 0; run < kRuns; ++run) num_segments += split.of_run(run).size();
  EXPECT_EQ(num_segments, kPieces);
}

}  // namespace
}  // namespace rowfeed
