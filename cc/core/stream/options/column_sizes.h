// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SIZES_H_
#define ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SIZES_H_

#include <cstdint>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/blocks/part.h"
#include "core/stream/options/options.h"
#include "core/stream/options/sink_memory.h"

namespace rowfeed {

// How many bytes the requested columns take, by the footers of their files.
struct ColumnSizes {
  std::vector<Part> parts;
  bool has_buckets = false;
  int64_t gathered = 0;  // bytes of the largest column that a window gathers as a whole
  double blocks = 0;     // bytes of the blocks of variable columns, for all row groups
  double elements = 0;   // bytes that batches have beside their arenas, for all rows
  double fetched = 0;    // bytes fetched of remote files, for all row groups
  // The most memory that a thread needs to decode rows of one chunk.
  int64_t decoded_chunk = 0;
  int64_t window_tasks = 0;  // how many threads can decode a window at once
};

// Measures the columns of one source of a stream. `parts`: those of the stream.
// `sink`: the memory of the sinks of its windows. Returns zeros if the options are not
// valid.
ColumnSizes MeasureColumns(const Catalog& catalog, const StreamOptions& options,
                           int64_t window_rows, const SinkMemory& sink,
                           std::vector<Part> parts);

// Returns the number of rows of the largest block.
int64_t LargestBlock(const Catalog& catalog, const OrderOptions& order);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_COLUMN_SIZES_H_
