// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/coalesce.h"

#include <random>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

Pairs Requests(const Pairs& extents, const RequestSizes& sizes) {
  std::vector<Extent> in;
  for (const auto& [offset, size] : extents) in.push_back({offset, size});
  Pairs out;
  for (const Extent& extent : Coalesce(in, sizes)) {
    out.emplace_back(extent.offset, extent.size);
  }
  return out;
}

constexpr RequestSizes kSizes{.max_gap = 10, .max_request = 100};

TEST(CoalesceTest, JoinsExtentsWithASmallGap) {
  EXPECT_EQ(Requests({{30, 20}, {0, 20}}, kSizes), (Pairs{{0, 50}}));
  EXPECT_EQ(Requests({{0, 20}, {31, 20}}, kSizes), (Pairs{{0, 20}, {31, 20}}));
}

TEST(CoalesceTest, JoinsWhatOverlaps) {
  EXPECT_EQ(Requests({{0, 50}, {10, 10}, {40, 20}}, kSizes), (Pairs{{0, 60}}));
}

TEST(CoalesceTest, CutsWhatIsLongerThanARequest) {
  EXPECT_EQ(Requests({{5, 250}}, kSizes), (Pairs{{5, 83}, {88, 83}, {171, 84}}));
}

TEST(CoalesceTest, EmptyExtentsNeedNoRequest) {
  EXPECT_EQ(Requests({{5, 0}}, kSizes), Pairs{});
  EXPECT_EQ(Requests({}, kSizes), Pairs{});
}

TEST(CoalesceTest, RequestsCoverAllExtentsInOrderWithoutOverlap) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Extent> extents(random() % 8);
    for (Extent& extent : extents) {
      extent = {static_cast<int64_t>(random() % 2000),
                static_cast<int64_t>(random() % 300)};
    }
    const std::vector<Extent> requests = Coalesce(extents, kSizes);
    std::vector<bool> covered(3000);
    int64_t end = 0;
    for (const Extent& request : requests) {
      EXPECT_GE(request.offset, end);
      EXPECT_LE(request.size, kSizes.max_request);
      EXPECT_GT(request.size, 0);
      end = request.end();
      std::fill(covered.begin() + request.offset, covered.begin() + end, true);
    }
    for (const Extent& extent : extents) {
      for (int64_t i = extent.offset; i < extent.end(); ++i) EXPECT_TRUE(covered[i]);
    }
  }
}

}  // namespace
}  // namespace rowfeed
