// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WHOLE_COLUMNS_H_
#define ROWFEED_CORE_STREAM_WINDOW_WHOLE_COLUMNS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/blocks/column_block.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"
#include "core/stream/window/window_reader.h"

namespace rowfeed {

// Decodes columns of a window so that their rows lie side by side, in the order before
// the shuffle. For strings that are referred to (Part::is_referred_to), references lie
// there, and the strings are kept as long as this object. Thread-safe for distinct
// columns.
class WholeColumns {
 public:
  // `reader` must outlive this object.
  explicit WholeColumns(const WindowReader* reader);

  // Decodes a column of a piece, and writes its rows that pass the filter (or
  // references to them) side by side to `out`, which has an address for each part of
  // the column. Adds to *gather_ns the time that was not spent decoding.
  Status CopyPiece(size_t piece, size_t spec, const std::atomic<bool>& cancelled,
                   const std::vector<uint8_t*>& out, int64_t* gather_ns);
  // Does the same for all pieces. Returns the rows of each part of the column.
  Result<std::vector<Buffer>> CopyWindow(size_t spec,
                                         const std::atomic<bool>& cancelled,
                                         int64_t* gather_ns);

 private:
  // Writes to `references` a pointer to the string of each row of a piece, and keeps
  // `block`, which holds these strings.
  Status ReferToRows(size_t part, size_t piece, std::unique_ptr<ColumnBlock> block,
                     uint8_t* references);

  const WindowReader& reader_;
  // The blocks with the strings that references point to, ordered by piece and part.
  std::vector<std::unique_ptr<ColumnBlock>> referred_to_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WHOLE_COLUMNS_H_
