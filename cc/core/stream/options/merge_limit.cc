// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/merge_limit.h"

#include <algorithm>

#include "core/decode/file_rows.h"

namespace rowfeed {
namespace {

// Writers end a page at about 1 MiB of encoded values, and many at 20,000 rows.
constexpr int64_t kMergedBytes = int64_t{4} << 20;
constexpr int64_t kMergedRows = int64_t{1} << 17;

// Returns about how many bytes the decoded values of a row take in its widest column.
double WidestRow(const Catalog& catalog, const BatchLayout& layout) {
  double widest = 1;
  for (size_t spec = 0; spec < layout.columns.size(); ++spec) {
    const ResolvedColumn& from = layout.columns[spec];
    if (!layout.is_variable(spec)) {
      const Part& part = layout.parts[layout.first_parts[spec]];
      widest = std::max(widest, static_cast<double>(part.unit_bytes));
      continue;
    }
    if (!from.index) continue;  // a column that is in no file
    for (int64_t group = 0; group < std::ssize(catalog.row_groups()); ++group) {
      const int64_t rows = catalog.row_groups()[group].rows;
      if (rows == 0) continue;
      const int64_t bytes =
          VariableBlockBytes(from.column, catalog.chunk(group, *from.index), rows);
      widest = std::max(widest, static_cast<double>(bytes) / static_cast<double>(rows));
    }
  }
  return widest;
}

}  // namespace

int64_t MostRowsMerged(const Catalog& catalog, const BatchLayout& layout,
                       const OrderOptions& order) {
  if (!order.shuffle || order.block_rows == 0) return 0;
  const double rows = static_cast<double>(kMergedBytes) / WidestRow(catalog, layout);
  return std::clamp(static_cast<int64_t>(rows), int64_t{1}, kMergedRows);
}

}  // namespace rowfeed
