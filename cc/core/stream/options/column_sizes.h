// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SIZES_H_
#define ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SIZES_H_

#include <cstdint>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/blocks/part.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// What the columns asked for take, in bytes, by their footers.
struct ColumnSizes {
  std::vector<Part> parts;
  bool has_buckets = false;
  int64_t gathered = 0;  // a column that is gathered by windows, or through buckets
  double blocks = 0;     // of variable columns, all row groups
  double elements = 0;   // of variable columns, all rows
  double fetched = 0;    // of remote files, all row groups
  // The most that a thread needs to decode rows of one chunk.
  int64_t decoded_chunk = 0;
};

// Measures the columns of one source of a stream, whose `parts` are given. `is_held`:
// as in a mixture, whose windows are held as blocks. All zero if the options are not
// valid.
ColumnSizes MeasureColumns(const Catalog& catalog, const StreamOptions& options,
                           int64_t window_rows, bool is_held, std::vector<Part> parts);

// Rows of the largest block.
int64_t LargestBlock(const Catalog& catalog, const OrderOptions& order);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SIZES_H_
