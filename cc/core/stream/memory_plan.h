// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_MEMORY_PLAN_H_
#define ROWFEED_CORE_STREAM_MEMORY_PLAN_H_

#include <cstdint>

#include "core/catalog/catalog.h"
#include "core/stream/options.h"

namespace rowfeed {

// What a stream needs by what the footers say, in bytes.
struct MemoryPlan {
  int64_t window_rows;  // of the largest window
  int64_t window;       // the largest window's batches, and blocks of variable columns
  int64_t num_windows;  // that must be there at once: one per lane that the rank serves
  int64_t scratch;      // chunks being decoded, one per thread
  int64_t arenas_ahead;  // whose elements are gathered ahead of the consumer
  int64_t elements;      // of variable columns, in those arenas

  // Without this no batch can be made.
  int64_t minimum() const { return Sum(num_windows); }
  // With room to load the next windows while these drain.
  int64_t with_read_ahead() const { return Sum(num_windows + 1); }

 private:
  // At most 2^62: absurd shapes need more than any memory has, which is said elsewhere.
  int64_t Sum(int64_t windows) const {
    const int64_t rest = scratch + elements;
    constexpr int64_t kMost = int64_t{1} << 62;
    return window > (kMost - rest) / windows ? kMost : windows * window + rest;
  }
};

MemoryPlan PlanMemory(const Catalog& catalog, const StreamOptions& options);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_MEMORY_PLAN_H_
