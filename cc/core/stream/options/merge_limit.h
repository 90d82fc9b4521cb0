// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_MERGE_LIMIT_H_
#define ROWFEED_CORE_STREAM_OPTIONS_MERGE_LIMIT_H_

#include <cstdint>

#include "core/catalog/catalog.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/options/batch_layout.h"

namespace rowfeed {

// Returns the most rows that a merged piece of a window extends over (ReadPieces); 0 if
// windows never have several blocks of a row group. The limit lets blocks that share a
// page become one piece, whose decoded values take about as much memory as a few pages.
int64_t MostRowsMerged(const Catalog& catalog, const BatchLayout& layout,
                       const OrderOptions& order);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_MERGE_LIMIT_H_
