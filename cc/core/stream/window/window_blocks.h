// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_BLOCKS_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/batch/window_split.h"
#include "core/decode/blocks/column_block.h"
#include "core/status.h"
#include "core/stream/window/window_reader.h"

namespace rowfeed {

// The decoded blocks of a window that stay until batches have gathered from them. Tasks
// of distinct pieces or parts may keep blocks at once. A block may read from the files
// of the reader.
class WindowBlocks {
 public:
  // `reader` must outlive this object. `has_blocks`: whether any block will be kept.
  WindowBlocks(const WindowReader* reader, bool has_blocks);

  const ColumnBlock& at(size_t piece, size_t part) const {
    return *blocks_[PlaceOf(piece, part)];
  }
  void Keep(size_t piece, size_t part, std::unique_ptr<ColumnBlock> block) {
    blocks_[PlaceOf(piece, part)] = std::move(block);
  }
  // Keeps the wanted rows of a variable part, in the order of `wanted`. Returns the
  // block that has them.
  Result<const VariableBlock*> KeepWanted(size_t piece, size_t part,
                                          std::unique_ptr<ColumnBlock> block,
                                          const Selection& wanted);

  // Copies the units of every variable part of one run into `builder`, except those of
  // strings that are referred to: these were gathered when the window was decoded. Adds
  // to *column_ns the time that it has counted in the statistics of single columns.
  Status GatherUnits(const WindowSplit& split, size_t run, BatchBuilder* builder,
                     int64_t* column_ns) const;

 private:
  size_t PlaceOf(size_t piece, size_t part) const {
    return piece * reader_.context().layout.parts.size() + part;
  }
  Status GatherColumn(const WindowSplit& split, size_t spec, size_t run,
                      BatchBuilder* builder) const;

  const WindowReader& reader_;
  std::vector<std::unique_ptr<ColumnBlock>> blocks_;  // ordered by piece and part
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_BLOCKS_H_
