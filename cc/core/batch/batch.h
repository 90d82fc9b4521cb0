// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BATCH_H_
#define ROWFEED_CORE_BATCH_BATCH_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace rowfeed {

// The tensor of one column in a batch, as a view. What its bytes mean is said by the
// Column at the same place in BatchStream::columns().
struct BatchColumn {
  // Fixed columns: rows * Column::row_bytes() bytes. Variable columns: the elements of
  // all rows end to end. 64-byte aligned unless batches share an arena.
  uint8_t* data = nullptr;
  // Variable columns: rows + 1 offsets into the elements, from 0. Else null.
  int64_t* offsets = nullptr;
};

// Rows as tensors. The views stay valid, and their bytes unchanged, as long as any copy
// of `owner` lives; after that the memory is used again. The bytes belong to the
// receiver: it may write to them.
struct Batch {
  int64_t num_rows = 0;
  std::vector<BatchColumn> columns;
  // remainder="pad" only: num_rows flags, 0 for rows that are fill. Else null.
  uint8_t* valid = nullptr;
  std::shared_ptr<void> owner;
  int64_t num_bytes = 0;  // that `owner` keeps
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BATCH_H_
