// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_CHUNKS_H_
#define ROWFEED_CORE_CATALOG_CHUNKS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/schema.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// Why a column of one file cannot be read, though its type is supported.
struct ColumnProblem {
  size_t column;
  std::string where;  // path and row group: "PATH, row group 3"; empty: in the status
  Status status;

  // The error for whoever asks for the column.
  Status Error(const std::string& name) const {
    return status.WithContext(where + ", column '" + name + "'");
  }
  // Why nobody can ask for it.
  std::string Reason() const {
    return where.empty() ? status.message() : status.WithContext(where).message();
  }
};

// What the footer of one file says of its row groups.
struct FileChunks {
  std::vector<int64_t> group_rows;
  // Row group major; {} where a column is unsupported, or has a problem.
  std::vector<ColumnChunk> chunks;
  std::vector<ColumnProblem> problems;  // at most one for each column
};

// The first byte of a chunk's first page. As of all that Parquet reads: may throw.
int64_t ChunkOffset(const parquet::ColumnChunkMetaData& chunk);

// The chunks of `columns` in every row group of `file`, checked against its size and
// the row counts: a contradiction is kCorrupt; another codec than this build of Parquet
// has, encrypted columns and chunks in other files are kUnsupported. What concerns one
// column alone is one of the problems, so that others can be read; other errors name
// path and row group.
Result<FileChunks> ReadChunks(const parquet::FileMetaData& metadata,
                              const CatalogFile& file,
                              const std::vector<SchemaColumn>& columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CHUNKS_H_
