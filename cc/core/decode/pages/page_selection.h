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

// The data pages that a request needs, as far as page headers or request.pages tell: a
// run of pages, first to last. Pages within this run that hold no wanted row have
// is_wanted false; for lists this is known only where request.pages is given.
struct PageSelection {
  PageList pages;
  int64_t rows_before = 0;  // number of rows that start before the first selected page
  // Number of values before the first row that starts in the selected pages: the rest
  // of a list that an earlier page began. nullopt: only the levels tell.
  std::optional<int64_t> values_before_row = 0;
  // True: the number of rows before and in the selected pages is known. False (lists in
  // v1 pages, whose levels may be compressed): all pages of the chunk are selected, and
  // rows are counted as they are decoded.
  bool is_counted = false;
};

// Finds the pages that hold rows [request.begin_row, request.end_row). Uses
// request.pages if given, else the headers of all pages of the chunk, and for lists in
// v2 pages also their repetition levels. Returns kCorrupt if these contradict what is
// known of the chunk.
Result<PageSelection> FindPages(const ChunkRequest& request, const SlotFormat& format,
                                ChunkReader* reader);

// Selects the needed pages out of `pages`, which are all pages of the chunk. Returns
// kCorrupt if their rows are not request.group_rows in all.
Result<PageSelection> SelectPages(const ChunkRequest& request, const SlotFormat& format,
                                  PageList pages);

// Counts pages in units, without decoding them. A unit is a row, or one slot of lists
// that all have the same size.
struct PageCounter {
  // Returns the number of units of a page; nullptr if only the decoded levels tell it.
  int64_t (*count)(const Page&) = nullptr;
  int64_t units_per_row = 1;

  // A row is counted in the page in which it begins. True if its list may go on in the
  // next page, which some writers do, though the format forbids it in v2 pages.
  bool may_go_on = false;

  explicit operator bool() const { return count != nullptr; }
  // Returns kCorrupt unless all pages of a chunk together have `units`, which stand for
  // group_rows rows.
  Status CheckTotal(int64_t units, int64_t group_rows) const;
};
PageCounter CounterOf(const ChunkRequest& request, const SlotFormat& format,
                      const PageList& pages);

// Returns kCorrupt unless the page, which was found by `pages`, has as many rows as
// `pages` says.
Status CheckRows(const PageLocations& pages, const Page& page, int64_t num_rows,
                 int64_t group_rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_PAGE_SELECTION_H_
