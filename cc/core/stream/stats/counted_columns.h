// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_STATS_COUNTED_COLUMNS_H_
#define ROWFEED_CORE_STREAM_STATS_COUNTED_COLUMNS_H_

#include <vector>

#include "core/catalog/catalog.h"
#include "core/stream/options/column_spec.h"
#include "core/stream/stats/stats.h"

namespace rowfeed {

// Returns a column for each column. Its codec is that of the first row group.
std::vector<CountedColumn> CountedColumns(const std::vector<ResolvedColumn>& columns,
                                          const Catalog& catalog);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_COUNTED_COLUMNS_H_
