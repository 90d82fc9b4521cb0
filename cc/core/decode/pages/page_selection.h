// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_PAGE_SELECTION_H_
#define ROWFEED_CORE_DECODE_PAGES_PAGE_SELECTION_H_

#include <cstdint>
#include <optional>

#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/page_location.h"
#include "core/decode/chunk/slot_format.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_list.h"
#include "core/status.h"

namespace rowfeed {

// The data pages that a request needs, as far as headers or request.pages tell. Those
// between them that hold none of the rows that matter are not wanted; of lists only
// where request.pages tells.
struct PageSelection {
  PageList pages;
  int64_t rows_before = 0;  // rows that start before the first of the pages
  // Values before the first row that starts in the pages: the rest of a list. nullopt:
  // only the levels tell.
  std::optional<int64_t> values_before_row = 0;
  // All rows of the chunk are known to be counted. If not (lists in v1 pages, whose
  // levels may be compressed), all pages are selected.
  bool is_counted = false;
};

// The pages that hold rows [request.begin_row, request.end_row): found where
// request.pages says, or by the headers of all pages of the chunk, for lists in v2
// pages by their repetition levels as well. kCorrupt if these contradict what is known
// of the chunk.
Result<PageSelection> FindPages(const ChunkRequest& request, const SlotFormat& format,
                                ChunkReader* reader);

// The same among all pages of the chunk. Pages that hold another number of rows than
// request.group_rows are kCorrupt.
Result<PageSelection> SelectPages(const ChunkRequest& request, const SlotFormat& format,
                                  PageList pages);

// What a page advances: rows, or slots of lists that all have one size.
struct PageCounter {
  int64_t (*count)(const Page&) = nullptr;  // nullptr: it is not known
  int64_t units_per_row = 1;

  // A row counts in the page that it begins in. Some writers let lists go on in the
  // next one, though the format forbids it in v2 pages.
  bool may_go_on = false;

  explicit operator bool() const { return count != nullptr; }
  // All pages of a chunk together.
  Status CheckTotal(int64_t units, int64_t group_rows) const;
};
PageCounter CounterOf(const ChunkRequest& request, const SlotFormat& format,
                      const PageList& pages);

// kCorrupt unless a page that was found by `pages` has as many rows as they say.
Status CheckRows(const PageLocations& pages, const Page& page, int64_t num_rows,
                 int64_t group_rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_SELECTION_H_
