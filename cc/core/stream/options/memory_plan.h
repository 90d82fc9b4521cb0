// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_MEMORY_PLAN_H_
#define ROWFEED_CORE_STREAM_OPTIONS_MEMORY_PLAN_H_

#include <cstdint>
#include <optional>

#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// How much memory a stream needs by what the footers say, in bytes.
struct MemoryPlan {
  int64_t window_rows;  // number of rows of the largest window
  // Memory of the largest window: its batches, blocks of variable columns, and what is
  // fetched of remote files. In a mixture it is the blocks of all columns, from which
  // batches are made when they are needed.
  int64_t window;
  // Windows that are needed at once: one for each lane that the rank serves.
  int64_t num_windows;
  int64_t windows;  // memory of num_windows windows
  // Memory for the windows to come: one of them, or as many as have work for all
  // threads. For remote files it is also enough that requests are under way while
  // others are answered.
  int64_t read_ahead;
  int64_t scratch;       // memory for chunks being decoded, one for each thread
  int64_t arenas_ahead;  // number of arenas that are completed ahead of the consumer
  int64_t elements;      // memory of the variable columns in these arenas

  // The memory without which no batch can be made.
  int64_t minimum() const { return windows + scratch + elements; }
  // The memory with which the next windows are loaded while these are consumed.
  int64_t with_read_ahead() const { return minimum() + read_ahead; }
};

ROWFEED_EXPORT MemoryPlan PlanMemory(const Catalogs& catalogs,
                                     const StreamOptions& options);

// Returns about how many bytes a row takes in batches. nullopt: the data set has no
// rows, and their length is not fixed.
std::optional<double> RowBytes(const Catalog& catalog, const StreamOptions& options);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_MEMORY_PLAN_H_
