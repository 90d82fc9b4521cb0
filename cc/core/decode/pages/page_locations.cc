// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_locations.h"

#include <algorithm>

namespace rowfeed {
namespace {

// Returns the row after the last one that begins in page `i`.
int64_t EndRow(const ChunkRequest& request, size_t i) {
  const PageLocations& pages = *request.pages;
  return i + 1 < pages.size() ? pages[i + 1].first_row : request.group_rows;
}

}  // namespace

bool IsWanted(const ChunkRequest& request, size_t i) {
  const int64_t end = EndRow(request, i);
  // A page in which no row begins holds the rest of the last row of the page before.
  const int64_t begin = std::min((*request.pages)[i].first_row, end - 1);
  return request.wanted().HasAnyIn(begin, end);
}

int64_t NumRows(const ChunkRequest& request, size_t i) {
  return EndRow(request, i) - (*request.pages)[i].first_row;
}

Status CheckPageLocations(const PageLocations& pages, const ColumnChunk& chunk,
                          int64_t group_rows) {
  int64_t offset = 0;
  int64_t row = 0;
  for (const PageLocation& page : pages) {
    if (page.offset < offset || page.size < 1 || page.size > chunk.size ||
        page.offset > chunk.size - page.size) {
      return Status::Corrupt("a page of ", page.size, " bytes at ", page.offset,
                             " is claimed, expected from ", offset,
                             " on in a chunk of ", chunk.size);
    }
    if (page.first_row < row || page.first_row > group_rows ||
        (offset == 0 && page.first_row != 0)) {
      return Status::Corrupt("a page is claimed to begin with row ", page.first_row,
                             ", expected from ", row, " on, of ", group_rows);
    }
    offset = page.offset + page.size;
    row = page.first_row;
  }
  return {};
}

}  // namespace rowfeed
