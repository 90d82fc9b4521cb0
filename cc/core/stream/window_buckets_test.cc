// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/decode/part.h"
#include "core/stream/window_load.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

constexpr int64_t kRows =
    1'100'000;  // 8.8 MB of 8 bytes each; see test_large_windows.py

bool HasBuckets(int64_t num_columns, int64_t width, int64_t rows, int threads = 2,
                bool shuffle = true) {
  StreamOptions options;
  options.num_threads = threads;
  options.order.shuffle = shuffle;
  Part part;
  part.unit_bytes = width;
  std::vector<size_t> first_parts(num_columns + 1);
  std::iota(first_parts.begin(), first_parts.end(), size_t{0});
  return WindowLoad::HasBuckets(options, std::vector<Part>(num_columns, part),
                                first_parts, rows);
}

TEST(WindowBucketsTest, AreForWindowsThatNoCacheHolds) {
  EXPECT_TRUE(HasBuckets(4, 8, kRows));
  EXPECT_FALSE(HasBuckets(4, 8, kRows / 2));
  EXPECT_FALSE(HasBuckets(4, 4, kRows));
  EXPECT_TRUE(HasBuckets(4, 4, 2 * kRows));
  EXPECT_FALSE(HasBuckets(4, 8, 100 * kRows));
}

TEST(WindowBucketsTest, AreForShufflesOfSomeNarrowColumns) {
  EXPECT_FALSE(HasBuckets(3, 8, kRows));
  EXPECT_FALSE(HasBuckets(4, 16, kRows));
  EXPECT_FALSE(HasBuckets(4, 8, kRows, 2, /*shuffle=*/false));
}

TEST(WindowBucketsTest, LeaveWorkForEveryThread) {
  EXPECT_FALSE(HasBuckets(4, 8, kRows, 16));
  EXPECT_TRUE(HasBuckets(8, 8, kRows, 16));
}

}  // namespace
}  // namespace rowfeed
