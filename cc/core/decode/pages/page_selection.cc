// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_selection.h"

#include <algorithm>
#include <utility>

#include "core/ceil_div.h"
#include "core/decode/pages/level_runs.h"
#include "core/decode/pages/page_locations.h"

namespace rowfeed {
namespace {

int64_t CountValues(const Page& page) { return page.header.num_values; }
int64_t CountRows(const Page& page) { return page.num_rows; }

bool IsV2(const Page& page) { return page.header.type == PageHeader::kDataV2; }
bool IsCounted(const Page& page) { return page.num_rows != Page::kNotCounted; }

// Whether all lists of the chunk have the fixed size of the column. A full list has
// slots_per_row values, a null or empty list only one. So if the chunk has as many
// values as full lists would have, all lists are full. This does not hold for a shape
// that the user asked for (has_shape), as the file may then have lists of any size.
bool HasFullListsOnly(const ChunkRequest& request, const SlotFormat& format) {
  int64_t full = 0;
  return format.slots_per_row > 0 && !request.has_shape &&
         !__builtin_mul_overflow(request.group_rows, format.slots_per_row, &full) &&
         request.chunk.num_values == full;
}

// Whether rows must be counted to know which pages can be left out. Only v2 pages allow
// it without decompressing, as their levels are not compressed.
bool NeedsRows(const ChunkRequest& request, const SlotFormat& format,
               const PageList& pages) {
  const bool is_part = request.begin_row > 0 || request.end_row < request.group_rows;
  return is_part && format.is_list && pages.data.size() > 1 &&
         !HasFullListsOnly(request, format) &&
         std::all_of(pages.data.begin(), pages.data.end(), IsV2);
}

// Counts the rows that begin in each of the v2 pages, by their repetition levels. The
// headers claim a number too, but Arrow C++ before 12 and parquet.js write it wrong.
Status CountRows(ChunkReader* reader, const ColumnStorage& storage, PageList* pages) {
  for (Page& page : pages->data) {
    const int64_t size = page.header.repetition_levels_size;
    ROWFEED_ASSIGN_OR_RETURN(const Bytes bytes, reader->Peek(page.offset, size));
    ROWFEED_ASSIGN_OR_RETURN(
        page.num_rows, CountRowStarts(storage.max_repetition_level(), bytes.first(size),
                                      page.header.num_values));
  }
  return {};
}

bool StartsBehind(int64_t row, const PageLocation& page) {
  return row < page.first_row;
}

// Reads the header of a page whose place is known. Returns kCorrupt if header and body
// are not as long as `location` says.
Result<Page> ReadLocated(const ChunkRequest& request, const SlotFormat& format,
                         const PageLocation& location, ChunkReader* reader) {
  ROWFEED_ASSIGN_OR_RETURN(const Page page,
                           ReadPage(reader, request.chunk, location.offset));
  const int64_t size = page.offset - location.offset + page.header.compressed_size;
  if (!page.header.is_data() || size != location.size) {
    return Status::Corrupt("expected a data page of ", location.size, " bytes at ",
                           location.offset, ", found one of ", size, " and type ",
                           page.header.type);
  }
  // In a column without lists each value is a row. The rows of lists are counted when
  // their levels are decoded.
  if (!format.is_list) {
    ROWFEED_RETURN_NOT_OK(
        CheckRows(*request.pages, page, page.header.num_values, request.group_rows));
  }
  return page;
}

// Makes a placeholder for a page whose rows nobody wants, so that its header need not
// be read.
Page PageLeftOut(int64_t num_rows) {
  Page page;
  page.num_rows = num_rows;
  page.header.num_values = static_cast<int32_t>(num_rows);
  page.is_wanted = false;
  return page;
}

Result<PageSelection> SelectLocated(const ChunkRequest& request,
                                    const SlotFormat& format, ChunkReader* reader) {
  const PageLocations& pages = *request.pages;
  PageSelection selection;
  selection.is_counted = true;
  // Begin with the last page that begins at or before the first requested row.
  size_t i =
      std::upper_bound(pages.begin(), pages.end(), request.begin_row, StartsBehind) -
      pages.begin() - 1;
  selection.rows_before = pages[i].first_row;
  bool has_indices = false;
  for (; i < pages.size() && pages[i].first_row < request.end_row; ++i) {
    if (!IsWanted(request, i)) {
      selection.pages.data.push_back(PageLeftOut(NumRows(request, i)));
      continue;
    }
    ROWFEED_ASSIGN_OR_RETURN(const Page page,
                             ReadLocated(request, format, pages[i], reader));
    has_indices = has_indices || page.header.is_dictionary_coded();
    selection.pages.data.push_back(page);
  }
  if (has_indices && pages.front().offset > 0) {
    ROWFEED_ASSIGN_OR_RETURN(const Page page, ReadPage(reader, request.chunk, 0));
    if (page.header.type == PageHeader::kDictionary) selection.pages.dictionary = page;
  }
  return selection;
}

}  // namespace

Status CheckRows(const PageLocations& pages, const Page& page, int64_t num_rows,
                 int64_t group_rows) {
  const auto behind = std::upper_bound(
      pages.begin(), pages.end(), page.header_offset,
      [](int64_t offset, const PageLocation& other) { return offset < other.offset; });
  const int64_t end = behind == pages.end() ? group_rows : behind->first_row;
  const int64_t expected = end - std::prev(behind)->first_row;
  if (num_rows == expected) return {};
  return Status::Corrupt("the page at ", page.header_offset, " has ", num_rows,
                         " rows, expected ", expected);
}

Status PageCounter::CheckTotal(int64_t units, int64_t group_rows) const {
  if (units == group_rows * units_per_row) return {};
  return Status::Corrupt("expected ", group_rows, " rows by the footer, found ",
                         units / units_per_row, " in the pages");
}

PageCounter CounterOf(const ChunkRequest& request, const SlotFormat& format,
                      const PageList& pages) {
  if (!format.is_list) return {CountValues, 1};
  if (HasFullListsOnly(request, format)) return {CountValues, format.slots_per_row};
  if (std::all_of(pages.data.begin(), pages.data.end(), IsCounted)) {
    return {CountRows, 1, /*may_go_on=*/true};
  }
  return {};
}

Result<PageSelection> FindPages(const ChunkRequest& request, const SlotFormat& format,
                                ChunkReader* reader) {
  if (request.pages != nullptr && !request.pages->empty()) {
    return SelectLocated(request, format, reader);
  }
  ROWFEED_ASSIGN_OR_RETURN(PageList pages,
                           ListPages(reader, request.chunk, format.is_list));
  if (NeedsRows(request, format, pages)) {
    ROWFEED_RETURN_NOT_OK(CountRows(reader, *request.storage, &pages));
  }
  return SelectPages(request, format, std::move(pages));
}

Result<PageSelection> SelectPages(const ChunkRequest& request, const SlotFormat& format,
                                  PageList pages) {
  PageSelection selection;
  const PageCounter counter = CounterOf(request, format, pages);
  if (!counter) {
    selection.pages = std::move(pages);
    return selection;
  }
  const int64_t units_per_row = counter.units_per_row;
  selection.is_counted = true;
  selection.pages.dictionary = pages.dictionary;
  int64_t units = 0;
  for (const Page& page : pages.data) {
    const int64_t end = units + counter.count(page);
    const bool is_early = end <= request.begin_row * units_per_row;
    const int64_t late = request.end_row * units_per_row;
    const bool is_late = counter.may_go_on ? units > late : units >= late;
    if (is_early) {
      selection.rows_before = CeilDiv(end, units_per_row);
      selection.values_before_row = selection.rows_before * units_per_row - end;
      if (counter.may_go_on) selection.values_before_row.reset();
    }
    if (!is_early && !is_late) {
      selection.pages.data.push_back(page);
      selection.pages.data.back().is_wanted =
          format.is_list || request.wanted().HasAnyIn(units, end);
    }
    units = end;
  }
  ROWFEED_RETURN_NOT_OK(counter.CheckTotal(units, request.group_rows));
  return selection;
}

}  // namespace rowfeed
