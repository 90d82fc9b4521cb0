// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGE_LOCATIONS_H_
#define ROWFEED_CORE_DECODE_PAGE_LOCATIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

struct ChunkRequest;  // column_decoder.h, which includes this

// A data page that begins with a row and ends with one.
struct PageLocation {
  int64_t offset;     // of its header, from the chunk's first byte
  int64_t size;       // bytes, with its header
  int64_t first_row;  // of the row group
};

// The data pages of a chunk, in order. None: it is not known where they are.
using PageLocations = std::vector<PageLocation>;

// Whether page `i` of request.pages holds a row that the request wants.
bool IsWanted(const ChunkRequest& request, size_t i);
// The rows that begin in it.
int64_t NumRows(const ChunkRequest& request, size_t i);

// kCorrupt unless the pages lie in the chunk, one behind the other, and begin with row
// 0 and then with rows of the row group, in order.
Status CheckPageLocations(const PageLocations& pages, const ColumnChunk& chunk,
                          int64_t group_rows);

// Finds them by the headers of all pages, without the bodies: for files without an
// offset index (offset_index.h). None if headers do not tell where rows end (lists
// whose sizes differ), or a row goes on in the next page.
Result<PageLocations> LocatePages(const ChunkRequest& request,
                                  const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGE_LOCATIONS_H_
