// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_LOCATIONS_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_LOCATIONS_H_

#include <cstddef>
#include <cstdint>

#include "core/catalog/catalog.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/page_location.h"
#include "core/status.h"

namespace rowfeed {

// Whether page `i` of request.pages holds a row that the request wants.
bool IsWanted(const ChunkRequest& request, size_t i);
// Number of rows that begin in page `i` of request.pages.
int64_t NumRows(const ChunkRequest& request, size_t i);

// Returns kCorrupt unless the pages lie in the chunk one after the other, the first one
// begins with row 0, and their first rows ascend within the row group.
Status CheckPageLocations(const PageLocations& pages, const ColumnChunk& chunk,
                          int64_t group_rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_LOCATIONS_H_
