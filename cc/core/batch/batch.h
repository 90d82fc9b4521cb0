// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BATCH_H_
#define ROWFEED_CORE_BATCH_BATCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/blocks/inline_string.h"

namespace rowfeed {

// One array of a batch, as a view: what it means is said by its Part.
struct BatchPart {
  // Parts of fixed size: rows * Part::unit_bytes bytes. Variable ones: the units of all
  // rows end to end; those of Part::Kind::kLengths are offsets, one more than there are
  // units, from 0. 64-byte aligned unless batches share an arena.
  uint8_t* data = nullptr;
  // Variable parts: rows + 1 offsets into the units, from 0. Else null.
  int64_t* offsets = nullptr;
  // Parts that may be inline: one string per row, 64-byte aligned as above, if all are
  // short; then the above are null.
  InlineString* strings = nullptr;
};

// Rows as tensors. The views stay valid, and their bytes unchanged, as long as any copy
// of `owner` lives; after that the memory is used again. The bytes belong to the
// receiver: it may write to them.
struct Batch {
  int64_t num_rows = 0;
  std::vector<BatchPart> parts;  // as BatchStream::outputs() refers to them
  // With remainder="pad" and of growing data sets: num_rows flags, 0 for rows that are
  // fill. Else null.
  uint8_t* valid = nullptr;
  std::shared_ptr<void> owner;
  int64_t num_bytes = 0;  // that `owner` keeps
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BATCH_H_
