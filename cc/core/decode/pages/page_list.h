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
  int64_t header_offset = 0;  // in the chunk
  int64_t offset = 0;         // of the body
  Bytes body;                 // as stored; empty until loaded; maybe the levels alone
  bool is_wanted = true;      // else it is neither loaded nor decoded
  // Rows that begin in it; kNotCounted until its repetition levels or an offset index
  // have told.
  static constexpr int64_t kNotCounted = -1;
  int64_t num_rows = kNotCounted;

  // Of the values, behind the levels, that LoadLevels left in the file.
  int64_t bytes_left() const { return header.compressed_size - std::ssize(body); }
  bool needs_dictionary() const { return is_wanted && header.is_dictionary_coded(); }
};

// The pages of one column chunk, without index pages and others that hold no values.
struct PageList {
  std::optional<Page> dictionary;
  std::vector<Page> data;
};

// Reads the header of the page at `offset` of a chunk, and checks the sizes it claims.
Result<Page> ReadPage(ChunkReader* reader, const ColumnChunk& chunk, int64_t offset);

// Walks the page headers of a chunk, without the bodies. The pages hold
// chunk.num_values values and no more bytes than the footer promises, else kCorrupt.
// The last page of lists may hold more values, as footers of Impala's and others claim
// too few: their levels tell how many rows these are.
Result<PageList> ListPages(ChunkReader* reader, const ColumnChunk& chunk,
                           bool are_lists = false);

// Reads the bodies of all pages; of the dictionary only if they refer to it.
Status LoadBodies(ChunkReader* reader, PageList* pages);

// The same of a chunk that is not compressed, but leaves the values of large plain
// pages in the file.
Status LoadLevels(ChunkReader* reader, const ColumnStorage& storage, PageList* pages);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_LIST_H_
