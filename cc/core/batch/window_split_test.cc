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

// Makes pieces of random sizes. *rows becomes the sum of their rows.
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

// For each run, the positions in the window that it takes and the slots that they fill.
using Places = std::vector<std::vector<Place>>;

Places RandomPlaces(std::mt19937* random, int64_t rows) {
  Places runs;
  for (int64_t position = (*random)() % 3; position < rows;) {
    runs.emplace_back();
    const int64_t step = (*random)() % 2 + 1;
    for (uint32_t i = (*random)() % 8 + 1; i > 0 && position < rows; --i) {
      const auto slot = static_cast<uint32_t>(3 + 2 * runs.back().size());
      runs.back().push_back({static_cast<uint32_t>(position), slot});
      position += step;
    }
  }
  return runs;
}

// Returns runs of positions at equal distances, or runs of places, which are appended
// to *all.
std::vector<Run> RunsOf(const Places& places, std::vector<Place>* all) {
  std::vector<Run> runs;
  for (const std::vector<Place>& run : places) {
    const int64_t begin = all == nullptr ? run[0].position : std::ssize(*all);
    const int64_t step = run.size() > 1 ? run[1].position - run[0].position : 1;
    runs.push_back({std::ssize(runs), begin, step, std::ssize(run), 3, 2});
    if (all != nullptr) all->insert(all->end(), run.begin(), run.end());
  }
  return runs;
}

// For each piece, the rows that fill slots of one run, with these slots. The rows of
// odd pieces have other numbers in their blocks (InBlock).
using Wanted = std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>>;

uint32_t InBlock(uint32_t piece, uint32_t row) {
  return piece % 2 == 0 ? row : 3 * row + 1;
}

Wanted RowsOf(const std::vector<Place>& run, const std::vector<Piece>& pieces,
              const std::vector<uint32_t>& permutation) {
  Wanted wanted;
  for (const Place& place : run) {
    int64_t row = permutation[place.position];
    uint32_t piece = 0;
    for (; row >= pieces[piece].rows(); ++piece) row -= pieces[piece].rows();
    wanted[piece].emplace_back(InBlock(piece, row), place.slot);
  }
  return wanted;
}

class WindowSplitTest : public ::testing::TestWithParam<bool> {};

TEST_P(WindowSplitTest, SegmentsAreTheRowsOfEachPieceThatARunWants) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    int64_t rows;
    const std::vector<Piece> pieces = RandomPieces(&random, &rows);
    std::vector<uint32_t> permutation(rows);
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random);
    const Places places = RandomPlaces(&random, rows);
    std::vector<Place> all;
    const auto runs = RunsOf(places, GetParam() ? &all : nullptr);
    WindowSplit split(pieces, permutation, runs, all);
    for (uint32_t piece = 1; piece < pieces.size(); piece += 2) {
      std::vector<uint32_t> in_block;
      for (uint32_t row = 0; row < pieces[piece].rows(); ++row) {
        in_block.push_back(InBlock(piece, row));
      }
      split.MapRows(piece, in_block);
    }
    std::vector<int64_t> num_wanted(pieces.size());
    for (size_t run = 0; run < runs.size(); ++run) {
      Wanted wanted = RowsOf(places[run], pieces, permutation);
      EXPECT_EQ(split.of_run(run).size(), wanted.size());
      for (const WindowSplit::Segment& segment : split.of_run(run)) {
        EXPECT_EQ(segment.run, run);
        const Selection selection = split.selection(segment);
        const RowRun in_order = split.places(segment);
        EXPECT_EQ(in_order.begin, num_wanted[segment.piece]);
        num_wanted[segment.piece] += segment.size;
        std::vector<std::pair<uint32_t, uint32_t>> found;
        for (int64_t i = 0; i < selection.size; ++i) {
          EXPECT_EQ(selection.rows[i],
                    split.rows(segment.piece).rows[in_order.begin + i]);
          found.emplace_back(selection.rows[i], in_order.slots[i]);
        }
        EXPECT_EQ(found, wanted[segment.piece]);
      }
    }
    for (size_t piece = 0; piece < pieces.size(); ++piece) {
      EXPECT_EQ(split.rows(piece).size, num_wanted[piece]);
      int64_t last = -1;
      split.ForEach(piece, [&](const WindowSplit::Segment& segment) {
        EXPECT_EQ(segment.piece, piece);
        EXPECT_GT(segment.run, last);
        last = segment.run;
        num_wanted[piece] -= segment.size;
      });
      EXPECT_EQ(num_wanted[piece], 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Places, WindowSplitTest, ::testing::Bool());

}  // namespace
}  // namespace rowfeed
