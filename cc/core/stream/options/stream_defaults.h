// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_STREAM_DEFAULTS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_STREAM_DEFAULTS_H_

#include <cstdint>

#include "core/catalog/catalog.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// The default of shuffle_window, in rows: a function of the catalog alone.
int64_t DefaultShuffleWindow(const Catalog& catalog);

// The default of memory_budget_bytes: the windows that must be in memory at once for a
// batch to be made, one window of read-ahead, and room to decode.
int64_t DefaultMemoryBudget(const Catalogs& catalogs, const StreamOptions& options);

// What max_batches_per_arena should be: a batch that is kept keeps its arena, so those
// that are shared are small; but not so small that making them is most of the work.
// `options` need not be valid.
int64_t DefaultMaxBatchesPerArena(const Catalog& catalog, const StreamOptions& options);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_STREAM_DEFAULTS_H_
