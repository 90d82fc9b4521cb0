// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_H_

#include <string>
#include <vector>

#include "core/catalog/column.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// A leaf column of one file.
struct SchemaColumn {
  Column column;
  // What must agree between files: the type without what does not change the values
  // (string or large_string, dictionary or not, names of list elements, nullability,
  // time zone).
  std::string kind;
  int leaf = -1;  // index of its Parquet column; -1: none, or unsupported
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
