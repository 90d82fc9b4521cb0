// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/read_pieces.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace rowfeed {
namespace {

using Row = std::pair<int64_t, int64_t>;  // a row group, and a row in it

Row RowOf(const Piece& piece, int64_t index) {
  return {piece.row_group, piece.begin + index};
}

std::vector<Row> RowsOf(const std::vector<Piece>& pieces) {
  std::vector<Row> rows;
  for (const Piece& piece : pieces) {
    for (int64_t i = 0; i < piece.rows(); ++i) rows.push_back(RowOf(piece, i));
  }
  return rows;
}

std::vector<uint32_t> Numbers(const ReadPieces& read, size_t num_rows) {
  std::vector<uint32_t> numbers(num_rows);
  std::iota(numbers.begin(), numbers.end(), 0U);
  read.Renumber(&numbers);
  return numbers;
}

// Checks that each row of the plan has the number that Renumber gives it.
void ExpectTheSameRows(const std::vector<Piece>& planned, const ReadPieces& read) {
  std::vector<Row> in_order;
  for (size_t i = 0; i < read.pieces().size(); ++i) {
    int64_t num_rows = 0;
    for (const Piece& part : read.planned(i)) {
      for (int64_t row = 0; row < part.rows(); ++row) {
        const Row found = RowOf(part, row);
        EXPECT_EQ(found.first, read.pieces()[i].row_group);
        EXPECT_GE(found.second, read.extent(i).begin);
        EXPECT_LT(found.second, read.extent(i).end);
        in_order.push_back(found);
      }
      num_rows += part.rows();
    }
    EXPECT_EQ(read.pieces()[i].rows(), num_rows);
  }
  const std::vector<Row> rows = RowsOf(planned);
  const std::vector<uint32_t> numbers = Numbers(read, rows.size());
  ASSERT_EQ(in_order.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(in_order[numbers[i]], rows[i]);
}

TEST(ReadPiecesTest, MergesPiecesOfARowGroupThatLieNearEachOther) {
  const std::vector<Piece> planned{{0, 60, 70}, {1, 0, 10}, {0, 10, 20}, {0, 20, 30}};
  const ReadPieces read(planned, nullptr, 30);
  ASSERT_EQ(read.pieces().size(), 3);
  EXPECT_EQ(read.pieces()[0].rows(), 20);
  EXPECT_EQ(read.extent(0).begin, 10);
  EXPECT_EQ(read.extent(0).end, 30);
  EXPECT_EQ(read.pieces()[1].begin, 60) << "it ends more than 30 rows behind the first";
  EXPECT_EQ(read.pieces()[2].row_group, 1);
  ExpectTheSameRows(planned, read);
}

TEST(ReadPiecesTest, LeavesThePlanAsItIsWithoutALimit) {
  const std::vector<Piece> planned{{1, 0, 10}, {0, 10, 20}, {0, 0, 10}};
  const ReadPieces read(planned, nullptr, 0);
  ASSERT_EQ(read.pieces().size(), 3);
  EXPECT_EQ(read.pieces()[0].row_group, 1);
  EXPECT_EQ(read.pieces()[1].begin, 10);
  ExpectTheSameRows(planned, read);
}

TEST(ReadPiecesTest, TakesTheExtentsOfFilteredPiecesFromTheSpansOfTheirBlocks) {
  // Pieces of a filtered window count rows that pass.
  const std::vector<Piece> planned{{0, 0, 3, 2}, {0, 0, 0, 1}, {0, 1, 2, 0}};
  const std::vector<Interval> spans{{4, 9}, {}, {25, 40}};
  const ReadPieces read(planned, &spans, 100);
  ASSERT_EQ(read.pieces().size(), 1);
  EXPECT_EQ(read.pieces()[0].rows(), 4);
  EXPECT_EQ(read.extent(0).begin, 4);
  EXPECT_EQ(read.extent(0).end, 40);
  EXPECT_EQ(read.planned(0)[0].block, 0);
  EXPECT_EQ(Numbers(read, 4), (std::vector<uint32_t>{1, 2, 3, 0}));
}

TEST(ReadPiecesTest, KeepsTheRowsOfEveryWindow) {
  const std::vector<int64_t> groups{100, 7, 0, 256, 31};
  for (const int64_t block_rows : {1, 3, 8, 50}) {
    OrderOptions options;
    options.shuffle = true;
    options.block_rows = block_rows;
    options.shuffle_window = 60;
    options.num_lanes = 2;
    const EpochPlan plan(std::make_shared<const std::vector<int64_t>>(groups), options,
                         /*epoch=*/3);
    for (const int64_t most_rows : {1, 10, 64, 1000}) {
      for (int64_t lane = 0; lane < plan.num_lanes(); ++lane) {
        for (int64_t i = 0; i < plan.num_windows(lane); ++i) {
          const std::vector<Piece> planned = plan.Pieces(plan.window(lane, i));
          const ReadPieces read(planned, nullptr, most_rows);
          ExpectTheSameRows(planned, read);
          for (size_t piece = 0; piece < read.pieces().size(); ++piece) {
            if (read.planned(piece).size() > 1) {
              EXPECT_LE(read.extent(piece).size(), most_rows);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace rowfeed
