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
// these functions, and so does the plan of the memory that it takes.

// The most bytes of a narrow column in a window. Its rows are read at random, so that
// they should fit a cache.
inline constexpr int64_t kMaxGatherBytes = int64_t{8} << 20;

// Whether a part is narrow: many of its rows fit a cache line, and those of a window
// fit a cache. A part that is referred to counts as narrow.
bool IsNarrow(const Part& part, int64_t window_rows);
// Whether a part has numbers or references, and those of a window fit no cache.
bool IsBucketed(const Part& part, int64_t window_rows);
// Whether enough columns are bucketed (IsBucketed) for buckets to pay. `first_parts`:
// the first part of each column, and the end. A mixture has no buckets.
bool HasBuckets(const StreamOptions& options, const std::vector<Part>& parts,
                const std::vector<size_t>& first_parts, int64_t window_rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_GATHER_WAYS_H_
