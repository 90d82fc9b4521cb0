// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/gather_ways.h"

#include <algorithm>

#include "core/batch/cache_line.h"

namespace rowfeed {
namespace {

// The least number of columns that pay for the buckets that they share. With many
// threads there should be a column for each, in the two windows that are loaded at
// once.
constexpr int64_t kMinBucketed = 4;

// In a larger window a bucket gets too few rows of each slice.
constexpr int64_t kMaxBucketedRows = int64_t{1} << 26;

// With wider rows, slices and buckets fit no near cache.
constexpr int64_t kMaxBucketedWidth = 8;

// Whether a part is narrow: many of its rows fit a cache line, and those of a window
// fit a cache. A part that is referred to counts as narrow.
bool IsNarrow(const Part& part, int64_t window_rows) {
  const int64_t row_bytes = part.unit_bytes;
  return part.is_referred_to || (!part.is_variable && row_bytes < kCacheLine &&
                                 window_rows * row_bytes <= kMaxGatherBytes);
}

// Whether a part has numbers or references, and those of a window fit no cache.
bool IsBucketed(const Part& part, int64_t window_rows) {
  const int64_t row_bytes = part.gathered_bytes();
  return (part.is_referred_to || !part.is_variable) && row_bytes <= kMaxBucketedWidth &&
         window_rows * row_bytes > kMaxGatherBytes;
}

}  // namespace

GatherWay WayOf(const Part& first_part, const WindowShape& window) {
  if (window.has_buckets && IsBucketed(first_part, window.num_rows)) {
    return GatherWay::kBuckets;
  }
  if (first_part.is_referred_to ||
      (window.mixes_rows && IsNarrow(first_part, window.num_rows))) {
    return GatherWay::kWindow;
  }
  return GatherWay::kPieces;
}

bool HasBuckets(const StreamOptions& options, const std::vector<Part>& parts,
                const std::vector<size_t>& first_parts, int64_t window_rows) {
  if (!options.order.shuffle || window_rows > kMaxBucketedRows) return false;
  int64_t count = 0;
  for (size_t spec = 0; spec + 1 < first_parts.size(); ++spec) {
    count += IsBucketed(parts[first_parts[spec]], window_rows) ? 1 : 0;
  }
  return count >= std::max<int64_t>(kMinBucketed, options.num_threads / 2);
}

}  // namespace rowfeed
