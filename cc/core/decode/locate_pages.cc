// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/locate_pages.h"

#include "core/decode/chunk/slot_format.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_list.h"
#include "core/decode/pages/page_selection.h"
#include "core/decode/values/make_slot_format.h"

namespace rowfeed {

Result<PageLocations> LocatePages(const ChunkRequest& request,
                                  const std::shared_ptr<BufferPool>& pool) {
  // A constant column has no pages in the file.
  if (request.constant) return PageLocations();
  ROWFEED_ASSIGN_OR_RETURN(const SlotFormat format,
                           MakeSlotFormat(*request.source, *request.storage,
                                          *request.column, request.encoding));
  ROWFEED_ASSIGN_OR_RETURN(ChunkReader reader, ChunkReader::OpenLazily(request, pool));
  ROWFEED_ASSIGN_OR_RETURN(const PageList list,
                           ListPages(&reader, request.chunk, format.is_list));
  const PageCounter counter = CounterOf(request, format, list);
  PageLocations pages;
  if (!counter || counter.may_go_on) return pages;
  int64_t units = 0;
  for (const Page& page : list.data) {
    if (units % counter.units_per_row != 0) return PageLocations();
    pages.push_back({page.header_offset,
                     page.offset + page.header.compressed_size - page.header_offset,
                     units / counter.units_per_row});
    units += counter.count(page);
  }
  ROWFEED_RETURN_NOT_OK(counter.CheckTotal(units, request.group_rows));
  return pages;
}

}  // namespace rowfeed
