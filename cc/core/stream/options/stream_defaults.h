// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_STREAM_DEFAULTS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_STREAM_DEFAULTS_H_

#include <cstdint>

#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Returns the default of shuffle_window, in rows. It depends on the catalog alone.
ROWFEED_EXPORT int64_t DefaultShuffleWindow(const Catalog& catalog);

// Returns the default of memory_budget_bytes: room for the windows that a batch needs
// at once, for one window of read-ahead, and for decoding.
ROWFEED_EXPORT int64_t DefaultMemoryBudget(const Catalogs& catalogs,
                                           const StreamOptions& options);

// Returns the default of max_batches_per_arena. A batch that is kept keeps its arena,
// so shared arenas are small; but not so small that making them is most of the work.
// `options` need not be valid.
ROWFEED_EXPORT int64_t DefaultMaxBatchesPerArena(const Catalog& catalog,
                                                 const StreamOptions& options);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_STREAM_DEFAULTS_H_
