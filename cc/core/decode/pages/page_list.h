// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_LIST_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_LIST_H_

#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_header.h"
#include "core/status.h"

namespace rowfeed {

struct Page {
  PageHeader header;
  int64_t header_offset = 0;  // position of the header in the chunk
  int64_t offset = 0;         // position of the body in the chunk
  // The body as stored. Empty until it is loaded; after LoadLevels it may hold the
  // levels alone.
  Bytes body;
  // False: nobody wants a row of this page, so it is neither loaded nor decoded.
  bool is_wanted = true;
  // Number of rows that begin in the page; kNotCounted until its repetition levels or
  // an offset index have told.
  static constexpr int64_t kNotCounted = -1;
  int64_t num_rows = kNotCounted;

  // Number of bytes at the end of the body (values, which follow the levels) that
  // LoadLevels left in the file.
  int64_t bytes_left() const { return header.compressed_size - std::ssize(body); }
  bool needs_dictionary() const { return is_wanted && header.is_dictionary_coded(); }
};

// The pages of one column chunk. Index pages and unknown page types, which hold no
// values, are left out.
struct PageList {
  std::optional<Page> dictionary;
  std::vector<Page> data;
};

// Reads the header of the page at `offset` of a chunk, and checks the sizes that it
// claims.
Result<Page> ReadPage(ChunkReader* reader, const ColumnChunk& chunk, int64_t offset);

// Reads all page headers of a chunk, one after the other, without the bodies. Returns
// kCorrupt unless the pages hold chunk.num_values values and no page is larger than the
// footer allows. If the column has lists (`are_lists`), the last page may hold more
// values than the footer says: Impala and some other writers count too few there, and
// the levels tell how many rows the page has.
Result<PageList> ListPages(ChunkReader* reader, const ColumnChunk& chunk,
                           bool are_lists = false);

// Reads the bodies of all wanted pages, and that of the dictionary if one of them needs
// it.
Status LoadBodies(ChunkReader* reader, PageList* pages);

// Like LoadBodies, for a chunk that is not compressed: of large plain pages only the
// levels are read, and the values stay in the file.
Status LoadLevels(ChunkReader* reader, const ColumnStorage& storage, PageList* pages);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_LIST_H_
