// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/page_selection.h"

#include <algorithm>
#include <utility>

namespace rowfeed {
namespace {

// What one page advances: rows, or slots of lists that all have the same size.
using Counter = int64_t (*)(const PageHeader&);

int64_t CountValues(const PageHeader& header) { return header.num_values; }
int64_t CountRows(const PageHeader& header) { return header.num_rows; }

bool IsV2(const Page& page) { return page.header.type == PageHeader::kDataV2; }

// A list is `list_size` values, a null or empty one is a single value. So if the values
// are as many as those of full lists, all are full. Sizes that the file did not promise
// may be any, though.
bool HasFullListsOnly(const ChunkRequest& request, const SlotFormat& format) {
  int64_t full = 0;
  return format.slots_per_row > 0 && !request.has_shape &&
         !__builtin_mul_overflow(request.group_rows, format.slots_per_row, &full) &&
         request.chunk.num_values == full;
}

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

Result<PageSelection> SelectPages(const ChunkRequest& request, const SlotFormat& format,
                                  PageList pages) {
  PageSelection selection;
  Counter count = CountValues;
  int64_t units_per_row = 1;
  if (format.is_list) {
    if (std::all_of(pages.data.begin(), pages.data.end(), IsV2)) {
      count = CountRows;
    } else if (HasFullListsOnly(request, format)) {
      units_per_row = format.slots_per_row;
    } else {
      selection.pages = std::move(pages);
      return selection;
    }
  }
  selection.is_counted = true;
  selection.pages.dictionary = pages.dictionary;
  int64_t units = 0;
  for (const Page& page : pages.data) {
    const int64_t end = units + count(page.header);
    const bool is_early = end <= request.begin_row * units_per_row;
    const bool is_late = units >= request.end_row * units_per_row;
    if (is_early) {
      selection.rows_before = CeilDiv(end, units_per_row);
      selection.values_before_row = selection.rows_before * units_per_row - end;
    }
    if (!is_early && !is_late) {
      selection.pages.data.push_back(page);
      selection.pages.data.back().is_wanted =
          format.is_list || request.wanted().HasAnyIn(units, end);
    }
    units = end;
  }
  if (units != request.group_rows * units_per_row) {
    return Status::Corrupt("expected ", request.group_rows,
                           " rows by the footer, found ", units / units_per_row,
                           " in the pages");
  }
  return selection;
}

}  // namespace rowfeed
