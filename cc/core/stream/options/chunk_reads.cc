// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/chunk_reads.h"

#include <algorithm>

#include "core/ceil_div.h"
#include "core/decode/file_rows.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

// The uncompressed size of a page that writers aim at, in KiB.
constexpr int64_t kPageKib = 1024;

// Returns what is read of one chunk for `rows` rows that lie side by side.
ChunkReads ReadsOfRows(const Catalog& catalog, const ColumnChunk& chunk,
                       int64_t row_group, int64_t rows) {
  const RowGroup& group = catalog.row_groups()[row_group];
  const int64_t group_rows = group.rows;
  if (rows >= group_rows) return {chunk.size, true};
  if (chunk.size <= ChunkReader::kSmallChunk) {
    // The pages of remote chunks are looked up, however small the chunks are.
    return {chunk.size, !IsUri(catalog.files()[group.file].path)};
  }
  // The headers of all pages are read, the bodies of those that hold wanted rows, and
  // of the first and the last of these also the rows that are not wanted.
  const auto size = static_cast<double>(chunk.size);
  const auto num_pages = static_cast<double>(
      CeilDiv(std::max<int64_t>(chunk.uncompressed_kib, 1), kPageKib));
  const double share = static_cast<double>(rows) / static_cast<double>(group_rows);
  const double bytes = share * size + size / num_pages +
                       num_pages * static_cast<double>(ChunkReader::kPeekSize);
  return {static_cast<int64_t>(std::min(size, bytes)), false};
}

}  // namespace

ChunkReads ReadsOfColumns(const Catalog& catalog, const std::vector<int>& columns,
                          int64_t row_group, int64_t rows) {
  ChunkReads reads;
  for (const int column : columns) {
    reads.Add(ReadsOfRows(catalog, catalog.chunk(row_group, column), row_group, rows));
  }
  return reads;
}

ChunkReads ReadsOfLayout(const Catalog& catalog, const BatchLayout& layout,
                         int64_t row_group, int64_t rows, double own_share) {
  const int64_t group_rows = catalog.row_groups()[row_group].rows;
  ChunkReads reads;
  for (const ResolvedColumn& column : layout.columns) {
    if (!column.index) continue;  // a column that is in no file
    const ColumnChunk& chunk = catalog.chunk(row_group, *column.index);
    if (AreRowsLeftInFile(column.column, chunk, group_rows)) {
      const double share =
          own_share * static_cast<double>(rows) / static_cast<double>(group_rows);
      reads.bytes += static_cast<int64_t>(share * static_cast<double>(chunk.size));
      reads.is_exact = false;  // Values have any size, and not all of them are read.
    } else {
      reads.Add(ReadsOfRows(catalog, chunk, row_group, rows));
    }
  }
  return reads;
}

}  // namespace rowfeed
