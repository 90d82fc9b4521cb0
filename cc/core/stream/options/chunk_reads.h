// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_CHUNK_READS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_CHUNK_READS_H_

#include <cstdint>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/stream/options/batch_layout.h"

namespace rowfeed {

// The bytes of column chunks that are read for some rows, as far as footers tell.
struct ChunkReads {
  int64_t bytes = 0;
  // False: some of the pages of a large chunk are read, and footers do not say where
  // pages lie. `bytes` is an estimate then.
  bool is_exact = true;

  void Add(const ChunkReads& other) {
    bytes += other.bytes;
    is_exact = is_exact && other.is_exact;
  }
};

// Returns what is read of these columns for `rows` rows that lie side by side in a row
// group.
ChunkReads ReadsOfColumns(const Catalog& catalog, const std::vector<int>& columns,
                          int64_t row_group, int64_t rows);

// Returns what is read of the columns of a layout. `own_share`: the share of the rows
// that go to batches of this rank; of wide strings only these are read.
ChunkReads ReadsOfLayout(const Catalog& catalog, const BatchLayout& layout,
                         int64_t row_group, int64_t rows, double own_share);

// Returns about how many bytes of the columns of a layout lie in the pages that have
// one of `wanted` rows, which are anywhere among `rows` rows of a row group.
int64_t PageBytesOfLayout(const Catalog& catalog, const BatchLayout& layout,
                          int64_t row_group, int64_t rows, int64_t wanted);

// Returns about how many bytes of the columns of a layout `rows` rows have.
int64_t RowBytesOfLayout(const Catalog& catalog, const BatchLayout& layout,
                         int64_t row_group, int64_t rows);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_CHUNK_READS_H_
