// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/chunk_reads.h"

#include <algorithm>
#include <cmath>

#include "core/ceil_div.h"
#include "core/decode/file_rows.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

// The uncompressed size of a page that writers aim at, in KiB.
constexpr int64_t kPageKib = 1024;

double NumPages(const ColumnChunk& chunk) {
  return static_cast<double>(
      CeilDiv(std::max<int64_t>(chunk.uncompressed_kib, 1), kPageKib));
}

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
  const double num_pages = NumPages(chunk);
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

int64_t PageBytesOfLayout(const Catalog& catalog, const BatchLayout& layout,
                          int64_t row_group, int64_t rows, int64_t wanted) {
  const double share = static_cast<double>(rows) /
                       static_cast<double>(catalog.row_groups()[row_group].rows);
  double bytes = 0;
  for (const ResolvedColumn& column : layout.columns) {
    if (!column.index) continue;  // a column that is in no file
    const ColumnChunk& chunk = catalog.chunk(row_group, *column.index);
    const double page_bytes = static_cast<double>(chunk.size) / NumPages(chunk);
    const double num_pages = std::max(1.0, share * NumPages(chunk));
    // Each wanted row leaves a page out with this probability.
    const double left_out = 1 - 1 / num_pages;
    bytes +=
        page_bytes * num_pages * (1 - std::pow(left_out, static_cast<double>(wanted)));
  }
  return static_cast<int64_t>(bytes);
}

int64_t RowBytesOfLayout(const Catalog& catalog, const BatchLayout& layout,
                         int64_t row_group, int64_t rows) {
  const double share = static_cast<double>(rows) /
                       static_cast<double>(catalog.row_groups()[row_group].rows);
  double bytes = 0;
  for (const ResolvedColumn& column : layout.columns) {
    if (!column.index) continue;  // a column that is in no file
    bytes += share * static_cast<double>(catalog.chunk(row_group, *column.index).size);
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace rowfeed
