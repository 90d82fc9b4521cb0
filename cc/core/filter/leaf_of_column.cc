// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/leaf_of_column.h"

namespace rowfeed {

int LeafOf(const Column& column, const parquet::SchemaDescriptor& schema) {
  const auto is_it = [&](int leaf) {
    return schema.Column(leaf)->path()->ToDotVector() == column.path;
  };
  // ColumnIndex compares paths joined with dots. Two different paths can look equal if
  // names contain dots: then search for the right one.
  const int found = schema.ColumnIndex(column.name);
  if (found < 0 || is_it(found)) return found;
  for (int leaf = 0; leaf < schema.num_columns(); ++leaf) {
    if (is_it(leaf)) return leaf;
  }
  return -1;
}

}  // namespace rowfeed
