// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_CHECKSUM_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_CHECKSUM_H_

#include <cstdint>

#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_list.h"
#include "core/status.h"

namespace rowfeed {

// kCorrupt if the page has a checksum, which its body, all of which is loaded, does not
// match. `chunk_offset` is where the chunk begins in the file.
Status VerifyPage(const Page& page, int64_t chunk_offset);

// The same of all pages that are wanted, and of the dictionary, where their bodies stay
// in the file. They are read for this alone, in pieces.
Status VerifyPagesInFile(const PageList& pages, ChunkReader* reader);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_CHECKSUM_H_
