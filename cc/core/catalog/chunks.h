// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_CHUNKS_H_
#define ROWFEED_CORE_CATALOG_CHUNKS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/catalog/schema/schema.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// Says why a column of one file cannot be read although its type is supported.
struct ColumnProblem {
  size_t column;
  // Place of the problem, "PATH, row group 3"; empty if `status` names it.
  std::string where;
  Status status;

  // Returns the error for a caller that asks for the column.
  Status Error(const std::string& name) const {
    return status.WithContext(where + ", column '" + name + "'");
  }
  // Returns the reason why the column is unsupported.
  std::string Reason() const {
    return where.empty() ? status.message() : status.WithContext(where).message();
  }
};

// What the footer of one file says about its row groups.
struct FileChunks {
  std::vector<int64_t> group_rows;
  // All columns of the first row group, then of the next, and so on. {} if a column is
  // unsupported or has a problem.
  std::vector<ColumnChunk> chunks;
  std::vector<ColumnProblem> problems;  // problems of columns; at most one per column
};

// Returns the position in the file of a chunk's first page. May throw, as all code that
// calls Arrow's Parquet library may.
int64_t ChunkOffset(const parquet::ColumnChunkMetaData& chunk);

// Reads from the footer where the chunks of `columns` lie in each row group of `file`,
// and checks them against the file's size and the numbers of rows. A contradiction is
// kCorrupt. Codecs that this build of Parquet lacks, encrypted columns and chunks in
// other files are kUnsupported. An error that concerns a single column becomes one of
// the problems, so that other columns can be read; all other errors name path and row
// group.
Result<FileChunks> ReadChunks(const parquet::FileMetaData& metadata,
                              const CatalogFile& file,
                              const std::vector<SchemaColumn>& columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_CHUNKS_H_
