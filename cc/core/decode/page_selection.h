// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGE_SELECTION_H_
#define ROWFEED_CORE_DECODE_PAGE_SELECTION_H_

#include <cstdint>

#include "core/decode/column_decoder.h"
#include "core/decode/page_list.h"
#include "core/decode/slot_format.h"
#include "core/status.h"

namespace rowfeed {

// The data pages that a request needs, as far as their headers tell. Of columns without
// lists, those between them that hold none of the rows that matter are not wanted.
struct PageSelection {
  PageList pages;
  int64_t rows_before = 0;  // rows that start before the first of the pages
  // Values before the first row that starts in the pages: the rest of a list.
  int64_t values_before_row = 0;
  // All rows of the chunk are known to be counted. If not (lists in v1 pages: only
  // their levels tell where rows start), all pages are selected.
  bool is_counted = false;
};

// Takes the pages that hold rows [request.begin_row, request.end_row). Pages that hold
// another number of rows than request.group_rows are kCorrupt.
Result<PageSelection> SelectPages(const ChunkRequest& request, const SlotFormat& format,
                                  PageList pages);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGE_SELECTION_H_
