// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/stream_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/decode/blocks/inline_string.h"
#include "core/stream/options/column_spec.h"

namespace rowfeed {
namespace {

// The most bytes that short strings may take in the files, as the mean of all rows.
// kMaxDictionaryBytes is for strings in dictionaries, because others gain nothing.
// kMaxInlineBytes is for strings that batches have inline. It includes the length that
// is stored before a string that is in no dictionary.
constexpr int64_t kMaxDictionaryBytes = 8;
constexpr int64_t kMaxInlineBytes = InlineString::kMaxSize + sizeof(uint32_t);

// Whether the column is one string per row that takes less than `max_bytes` in the
// mean. Sizes in the catalog are rounded up, so that a KiB is taken off.
Result<bool> IsShortString(const Catalog& catalog, const ColumnSpec& spec,
                           int64_t max_bytes) {
  ROWFEED_ASSIGN_OR_RETURN(const ResolvedColumn source, ResolveColumn(spec, catalog));
  const Column& column = source.column;
  if (!source.index || !column.is_bytes() || !column.is_variable() ||
      column.ragged_rank > 0) {
    return false;
  }
  int64_t bytes = 0;
  for (int64_t group = 0; group < std::ssize(catalog.row_groups()); ++group) {
    const int64_t kib = catalog.chunk(group, *source.index).uncompressed_kib;
    bytes += std::max<int64_t>(0, kib - 1) << 10;
  }
  return bytes < max_bytes * catalog.num_rows();
}

}  // namespace

Result<BatchLayout> LayOutStream(const Catalogs& catalogs,
                                 const StreamOptions& options) {
  ROWFEED_ASSIGN_OR_RETURN(BatchLayout layout,
                           LayOutBatches(options.columns, *catalogs[0]));
  const int64_t max_bytes =
      options.inline_strings ? kMaxInlineBytes : kMaxDictionaryBytes;
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    bool is_short = true;
    for (size_t k = 0; is_short && k < catalogs.size(); ++k) {
      ROWFEED_ASSIGN_OR_RETURN(
          is_short,
          IsShortString(*catalogs[k], options.source(k).columns[i], max_bytes));
    }
    Part& part = layout.parts[layout.first_parts[i]];
    part.is_referred_to = is_short;
    part.may_be_inline = is_short && options.inline_strings;
  }
  return layout;
}

}  // namespace rowfeed
