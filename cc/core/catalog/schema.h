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

// A leaf column of one file.
struct SchemaColumn {
  Column column;
  int leaf = -1;  // index of its Parquet column; -1: none, or unsupported
  // Its rows are null, or lists of nulls: that is its type. It is unsupported by
  // itself, but has a leaf, so that it may stand for columns of other files.
  bool is_nulls = false;
  // How many fields lead to the outermost list around it; 0: none is.
  size_t list_depth = 0;
};

// The leaf columns in file order. Types are those that Arrow reads, so that an
// Arrow schema stored in the file counts (fixed-size lists, durations). A column that
// rowfeed cannot read has `unsupported` set; an error means that not even the schema
// can be read. Errors do not name the path.
Result<std::vector<SchemaColumn>> ReadSchema(const parquet::FileMetaData& metadata);

// True if ReadSchema gives the same for both, told from the serialized schemas.
bool SameSchema(const parquet::FileMetaData& a, const parquet::FileMetaData& b);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_H_
