// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LOCATE_PAGES_H_
#define ROWFEED_CORE_DECODE_LOCATE_PAGES_H_

#include <memory>

#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/page_location.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Finds out where the pages of a chunk lie by reading all page headers, without the
// bodies: for files without an offset index (pages/offset_index.h). The result is empty
// if the headers do not tell where rows end (lists of different sizes), or if a row
// goes on in the next page.
Result<PageLocations> LocatePages(const ChunkRequest& request,
                                  const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LOCATE_PAGES_H_
