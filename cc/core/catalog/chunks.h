// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_CHUNKS_H_
#define ROWFEED_CORE_CATALOG_CHUNKS_H_

#include <cstdint>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/schema.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// What the footer of one file says of its row groups.
struct FileChunks {
  std::vector<int64_t> group_rows;
  std::vector<ColumnChunk> chunks;  // row group major; {} where a column is unsupported
};

// The first byte of a chunk's first page. As of all that Parquet reads: may throw.
int64_t ChunkOffset(const parquet::ColumnChunkMetaData& chunk);

// The chunks of `columns` in every row group of `file`, checked against its size and
// the row counts: a contradiction is kCorrupt; another codec than this build of Parquet
// has, encrypted columns and chunks in other files are kUnsupported. Errors name path,
// row group and column.
Result<FileChunks> ReadChunks(const parquet::FileMetaData& metadata,
                              const CatalogFile& file,
                              const std::vector<SchemaColumn>& columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CHUNKS_H_
