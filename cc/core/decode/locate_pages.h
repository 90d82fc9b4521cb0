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

// Finds the pages of a chunk by the headers of all of them, without the bodies: for
// files without an offset index (pages/offset_index.h). None if headers do not tell
// where rows end (lists whose sizes differ), or a row goes on in the next page.
Result<PageLocations> LocatePages(const ChunkRequest& request,
                                  const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LOCATE_PAGES_H_
