// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/bucket_gather.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <vector>

#include "core/batch/iota.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

constexpr int64_t kSize = BucketShuffle::kSize;
constexpr int64_t kBatchRows = 1000;

std::vector<uint32_t> Permutation(int64_t size) {
  std::vector<uint32_t> rows = Iota(size);
  std::shuffle(rows.begin(), rows.end(), std::mt19937(1));
  return rows;
}

// Returns runs of at most kBatchRows rows, of every step-th position from `first` on.
std::vector<Run> Runs(int64_t size, int64_t first, int64_t step) {
  std::vector<Run> runs;
  for (int64_t at = first; at < size; at += kBatchRows * step) {
    const int64_t count = std::min(kBatchRows, (size - at + step - 1) / step);
    runs.push_back({std::ssize(runs), at, step, count, 0, 1});
  }
  return runs;
}

// Gathers random bytes, and compares them with one look-up for each row. Rows of a run
// go to places that are `slot_step` apart.
void ExpectGathers(int64_t size, const std::vector<Run>& runs, int64_t width,
                   int64_t slot_step) {
  const std::vector<uint32_t> permutation = Permutation(size);
  std::vector<uint8_t> window(size * width);
  std::mt19937 random(2);
  for (uint8_t& byte : window) byte = static_cast<uint8_t>(random());
  const int64_t batch_bytes = kBatchRows * slot_step * width;
  std::vector<uint8_t> out(std::ssize(runs) * batch_bytes, 0xee);
  std::vector<uint8_t> expected = out;
  std::vector<BatchBuilder::Slots> slots;
  for (int64_t run = 0; run < std::ssize(runs); ++run) {
    slots.push_back({out.data() + run * batch_bytes, slot_step});
    for (int64_t i = 0; i < runs[run].count; ++i) {
      const int64_t row = permutation[runs[run].begin + i * runs[run].step];
      std::memcpy(expected.data() + run * batch_bytes + i * slot_step * width,
                  window.data() + row * width, width);
    }
  }
  const BucketShuffle shuffle(permutation, runs);
  BucketGather gather(&shuffle, &runs, slots, width);
  for (int64_t row = 0; row < size; row += kSize) {
    gather.AddSlice(window.data() + row * width);
  }
  std::vector<uint8_t> scratch(kSize * width);
  gather.Finish(scratch.data());
  EXPECT_TRUE(out == expected) << size << " rows of " << width << " bytes";
}

TEST(BucketGatherTest, GathersAsOneStepWould) {
  for (const int64_t size : {int64_t{1}, int64_t{1000}, kSize - 1, kSize, kSize + 1,
                             3 * kSize, 3 * kSize + 12'345}) {
    for (const int64_t width : {1, 2, 3, 4, 8, 16}) {
      ExpectGathers(size, Runs(size, 0, 1), width, 1);
    }
  }
}

TEST(BucketGatherTest, GathersTheRowsOfOneRank) {
  ExpectGathers(3 * kSize + 5, Runs(3 * kSize + 5, 2, 3), 8, 1);
  ExpectGathers(3 * kSize + 5, Runs(3 * kSize + 5, 70'000, 1), 4, 1);
}

TEST(BucketGatherTest, LeavesRowsApartWhereLanesTakeTurns) {
  ExpectGathers(2 * kSize + 77, Runs(2 * kSize + 77, 0, 1), 4, 3);
}

TEST(BucketGatherTest, HasNothingOfASliceThatNobodyWants) {
  // All rows that are wanted lie in one slice out of three.
  const BucketShuffle shuffle(Iota(3 * kSize), {{0, kSize + 10, 1, 500, 0, 1}});
  EXPECT_EQ(shuffle.num_buckets(), 1);
  EXPECT_TRUE(shuffle.rows(0, 0).empty());
  EXPECT_EQ(shuffle.rows(1, 0).size(), 500U);
  EXPECT_EQ(shuffle.rows(1, 0)[0], 10);
  EXPECT_TRUE(shuffle.rows(2, 0).empty());
}

}  // namespace
}  // namespace rowfeed
