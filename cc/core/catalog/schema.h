// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_H_

#include <cstddef>
#include <string>
#include <vector>

#include "core/catalog/column.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// A leaf column of one file's schema.
struct SchemaColumn {
  Column column;
  int leaf = -1;  // number of its Parquet column; -1: none, or unsupported
  // True: by its type, its rows are null or lists of nulls. Such a column is
  // unsupported by itself, but has a leaf, so that it can stand for a column that other
  // files have with a type.
  bool is_nulls = false;
  // Number of fields on the way to the outermost list around it; 0 if there is no list.
  size_t list_depth = 0;
};

// Reads the leaf columns of a file, in the order of the file. Types are those that
// Arrow reads, so an Arrow schema that is stored in the file counts (fixed-size lists,
// durations). A column that rowfeed cannot read has `unsupported` set. An error means
// that not even the schema can be read; it does not name the path.
Result<std::vector<SchemaColumn>> ReadSchema(const parquet::FileMetaData& metadata);

// Whether ReadSchema returns the same for both files. Compares the stored schemas.
bool SameSchema(const parquet::FileMetaData& a, const parquet::FileMetaData& b);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_H_
