// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BATCH_H_
#define ROWFEED_CORE_BATCH_BATCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/blocks/inline_string.h"

namespace rowfeed {

// One array of a batch, as a view. The Part of the same index says what the array
// means.
struct BatchPart {
  // For a part of fixed size: rows * Part::unit_bytes bytes. For a variable part: the
  // units of all rows, end to end. For a part of Part::Kind::kLengths the units are
  // offsets, which begin with 0 and are one more than there are lists or strings. The
  // address is a multiple of 64 unless batches share an arena.
  uint8_t* data = nullptr;
  // For a variable part: rows + 1 offsets into the units, the first of them 0.
  // Otherwise null.
  int64_t* offsets = nullptr;
  // For a part that may be inline, if all strings of the batch are short: one string
  // for each row, and `data` and `offsets` are null. Aligned like `data`. Otherwise
  // null.
  InlineString* strings = nullptr;
};

// Some rows as tensors. The views stay valid, and their bytes unchanged, as long as any
// copy of `owner` lives. After that the memory is used again. The receiver may write to
// the bytes.
struct Batch {
  int64_t num_rows = 0;
  std::vector<BatchPart> parts;  // BatchStream::outputs() has indexes into it
  // With remainder="pad" and for growing data sets: num_rows flags, 0 for each row that
  // is fill. Otherwise null.
  uint8_t* valid = nullptr;
  std::shared_ptr<void> owner;
  int64_t num_bytes = 0;  // size of the memory that `owner` keeps
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BATCH_H_
