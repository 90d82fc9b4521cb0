// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/fetched_bytes.h"

#include <iterator>

#include "core/io/uri.h"

namespace rowfeed {

std::vector<Extent> FetchedChunks(const Catalog& catalog, int64_t row_group,
                                  const std::vector<int>& columns) {
  std::vector<Extent> extents;
  if (!IsUri(catalog.files()[catalog.row_groups()[row_group].file].path))
    return extents;
  for (const int column : columns) {
    const ColumnChunk& chunk = catalog.chunk(row_group, column);
    if (chunk.size > 0) extents.push_back({chunk.offset, chunk.size});
  }
  return extents;
}

int64_t NumFetches(const Catalog& catalog, int64_t row_group,
                   const std::vector<int>& columns) {
  return std::ssize(
      Coalesce(FetchedChunks(catalog, row_group, columns), RequestSizes{}));
}

int64_t RequestBytes(const std::vector<Extent>& extents) {
  int64_t bytes = 0;
  for (const Extent& request : Coalesce(extents, RequestSizes{})) bytes += request.size;
  return bytes;
}

int64_t FetchedBytes(const Catalog& catalog, int64_t row_group,
                     const std::vector<int>& columns) {
  return RequestBytes(FetchedChunks(catalog, row_group, columns));
}

}  // namespace rowfeed
