// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_COLUMN_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_COLUMN_H_

#include <cstddef>

#include "core/catalog/schema/column.h"

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

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_COLUMN_H_
