// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_MEMORY_PLAN_H_
#define ROWFEED_CORE_STREAM_OPTIONS_MEMORY_PLAN_H_

#include <cstdint>
#include <optional>

#include "core/catalog/catalog.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// What a stream needs by what the footers say, in bytes.
struct MemoryPlan {
  int64_t window_rows;  // of the largest window
  // Of the largest window: its batches, blocks of variable columns, and what is fetched
  // of remote files. In a mixture
  // the blocks of all columns, which its batches are made of as they are needed.
  int64_t window;
  int64_t num_windows;  // that must be there at once: one per lane that the rank serves
  int64_t windows;      // all of them
  // Room for the next ones: a window; of remote files also so much that requests are
  // under way while others are answered.
  int64_t read_ahead;
  int64_t scratch;       // chunks being decoded, one per thread
  int64_t arenas_ahead;  // whose elements are gathered ahead of the consumer
  int64_t elements;      // of variable columns, in those arenas

  // Without this no batch can be made.
  int64_t minimum() const { return windows + scratch + elements; }
  // With room to load the next windows while these drain.
  int64_t with_read_ahead() const { return minimum() + read_ahead; }
};

MemoryPlan PlanMemory(const Catalogs& catalogs, const StreamOptions& options);

// What a row takes in batches, about; nullopt: it is not known, as there are no rows
// and they are of any length.
std::optional<double> RowBytes(const Catalog& catalog, const StreamOptions& options);

// Of each row of a window, beside its values: which row goes where. The permutation,
// and the split of columns that are decoded by the row group; a mixture has a split of
// those decoded by the window, too, and no permutation any more.
inline constexpr int64_t kRowIndexBytes = 12;
inline constexpr int64_t kBucketIndexBytes = 4;  // more, where there are buckets
inline constexpr int64_t kHeldRowIndexBytes = 16;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_MEMORY_PLAN_H_
