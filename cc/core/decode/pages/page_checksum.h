// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_CHECKSUM_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_CHECKSUM_H_

#include <cstdint>

#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_list.h"
#include "core/status.h"

namespace rowfeed {

// Returns kCorrupt if the page has a checksum and its body does not match it. The whole
// body must be loaded. `chunk_offset` is the chunk's position in the file, for the
// error message.
Status VerifyPage(const Page& page, int64_t chunk_offset);

// Verifies all wanted pages, and the dictionary if one of them needs it, where the
// bodies stay in the file. They are read for this check alone, piece by piece.
Status VerifyPagesInFile(const PageList& pages, ChunkReader* reader);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_CHECKSUM_H_
