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

// By which way the rows of a column get from a window into batches. Loading asks it,
// and so does the plan of the memory that loading will take.

// The rows of a narrow column are read at random: they should be in a cache.
inline constexpr int64_t kMaxGatherBytes = int64_t{8} << 20;

// Whether many rows of a part fit a cache line, and all of a window a cache; or the
// part is referred to.
bool IsNarrow(const Part& part, int64_t window_rows);
// Whether a part is of numbers, or referred to, and no cache holds those of a window.
bool IsBucketed(const Part& part, int64_t window_rows);
// Whether there are enough such columns, for which buckets pay. `first_parts`: of
// each feature. In no mixture.
bool HasBuckets(const StreamOptions& options, const std::vector<Part>& parts,
                const std::vector<size_t>& first_parts, int64_t window_rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_GATHER_WAYS_H_
