// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/bucket_shuffle.h"

#include <algorithm>
#include <utility>

namespace rowfeed {
namespace {

constexpr int kBits = 16;
static_assert(BucketShuffle::kSize == int64_t{1} << kBits);

int64_t NumParts(int64_t size) { return (size + BucketShuffle::kSize - 1) >> kBits; }

}  // namespace

BucketShuffle::BucketShuffle(const std::vector<uint32_t>& permutation,
                             const std::vector<Run>& runs) {
  // Each run goes on where the one before ends, by the same step.
  int64_t num_rows = 0;
  for (const Run& run : runs) num_rows += run.count;
  const auto row_at = [&, first = runs.front()](int64_t place) {
    return permutation[first.begin + place * first.step];
  };
  const int64_t num_slices = NumParts(std::ssize(permutation));
  num_buckets_ = NumParts(num_rows);
  rows_.resize(num_rows);
  sources_.resize(num_rows);
  row_begins_.resize(num_slices * (num_buckets_ + 1));
  // For each slice, the end of its rows so far.
  std::vector<uint32_t> ends(num_slices + 1, 0);
  for (int64_t place = 0; place < num_rows; ++place) {
    ++ends[(row_at(place) >> kBits) + 1];
  }
  for (int64_t slice = 0; slice < num_slices; ++slice) ends[slice + 1] += ends[slice];
  std::vector<uint32_t> counts(num_slices);  // for each slice, its rows in the bucket
  for (int64_t bucket = 0; bucket <= num_buckets_; ++bucket) {
    for (int64_t slice = 0; slice < num_slices; ++slice) {
      row_begins_[slice * (num_buckets_ + 1) + bucket] = ends[slice];
    }
    const int64_t begin = bucket * kSize;
    const int64_t end = std::min(begin + kSize, num_rows);
    std::fill(counts.begin(), counts.end(), 0U);
    for (int64_t place = begin; place < end; ++place) ++counts[row_at(place) >> kBits];
    uint32_t before = 0;  // rows of the bucket that come from earlier slices
    for (uint32_t& count : counts) before += std::exchange(count, before);
    for (int64_t place = begin; place < end; ++place) {
      const uint32_t row = row_at(place);
      const uint32_t slice = row >> kBits;
      rows_[ends[slice]++] = static_cast<uint16_t>(row);
      sources_[place] = static_cast<uint16_t>(counts[slice]++);
    }
  }
}

std::span<const uint16_t> BucketShuffle::sources(int64_t bucket) const {
  const int64_t begin = bucket * kSize;
  const int64_t size = std::min(kSize, std::ssize(sources_) - begin);
  return {sources_.data() + begin, static_cast<size_t>(size)};
}

}  // namespace rowfeed
