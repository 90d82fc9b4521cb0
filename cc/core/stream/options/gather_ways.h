// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_GATHER_WAYS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_GATHER_WAYS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/decode/blocks/part.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// How the rows of a column get from a window into batches. The loading of windows asks
// the functions below, and so does the plan of the memory that it takes.
enum class GatherWay {
  kPieces,   // piece by piece, as chunks are decoded
  kWindow,   // the whole window at once: many of its rows share a cache line
  kBuckets,  // through buckets (BucketShuffle): those of a window fit no cache
};

// The most bytes of a narrow column in a window. Its rows are read at random, so that
// they should fit a cache.
inline constexpr int64_t kMaxGatherBytes = int64_t{8} << 20;

// What decides, beside the column itself.
struct WindowShape {
  int64_t num_rows;
  bool has_buckets;
  // Whether rows of several pieces, or of several lanes, lie side by side in a batch.
  // Otherwise nothing is gained by taking the window as a whole.
  bool mixes_rows;
};

// Returns the way of a column, by its first part. Strings that are referred to are
// never gathered piece by piece.
GatherWay WayOf(const Part& first_part, const WindowShape& window);
// Whether enough columns of a window fit no cache for buckets to pay. `first_parts`:
// the first part of each column, and the end. Windows that are held have no buckets.
bool HasBuckets(const StreamOptions& options, const std::vector<Part>& parts,
                const std::vector<size_t>& first_parts, int64_t window_rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_GATHER_WAYS_H_
