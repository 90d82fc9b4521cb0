// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_CHUNK_LIE_H_
#define ROWFEED_CORE_FILTER_BOUNDS_CHUNK_LIE_H_

#include <optional>
#include <string>

#include "core/filter/bounds/bound_order.h"
#include "core/filter/bounds/bounds.h"
#include "parquet/page_index.h"

namespace rowfeed {

// Compares what the footer states about a column chunk with what the column index
// states about the chunk's pages. Returns in words how they differ if a reader that
// believes the footer may lose rows: a page has values outside of the chunk's bounds,
// or the pages have another number of nulls. One of the two is then wrong, and nobody
// can know which. Returns nullopt if they agree, or if the column index contradicts
// itself and so proves nothing. `chunk` is what TrustedBounds::OfChunk believes.
std::optional<std::string> LieOfChunk(const BoundOrder& order,
                                      const parquet::ColumnIndex& index,
                                      const Bounds& chunk);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_CHUNK_LIE_H_
