// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_COLUMN_BLOCK_H_
#define ROWFEED_CORE_DECODE_COLUMN_BLOCK_H_

#include <cstdint>

#include "core/status.h"

namespace rowfeed {

// Which rows of a block go where: row rows[i] of the block becomes slot slots[i] of a
// batch. Slots ascend, so that the output is written front to back.
struct Selection {
  const uint32_t* rows;
  const uint32_t* slots;
  int64_t size;
};

// Rows [0, num_rows) of one column of one block, ready to be gathered into batches in
// any order, any number of times. A block need not hold its data: it may hold
// dictionary indices, pages still plain, or places in a file. Immutable and thread-safe
// once made. Nulls are already filled or refused.
class ColumnBlock {
 public:
  virtual ~ColumnBlock() = default;

  int64_t num_rows() const { return num_rows_; }

 protected:
  explicit ColumnBlock(int64_t num_rows) : num_rows_(num_rows) {}

 private:
  int64_t num_rows_;
};

// Every row has the same number of bytes.
class FixedBlock : public ColumnBlock {
 public:
  // Copies each selected row to out + slot * row_bytes.
  virtual Status Gather(const Selection& selection, uint8_t* out) const = 0;
  // Copies all rows, in order.
  virtual void CopyRows(uint8_t* out) const = 0;

 protected:
  using ColumnBlock::ColumnBlock;
};

// Rows of different lengths, counted in elements (bytes for strings and binaries).
class VariableBlock : public ColumnBlock {
 public:
  // Writes each selected row's length to lengths[slot].
  virtual void Lengths(const Selection& selection, int64_t* lengths) const = 0;
  // Copies each selected row to values + offsets[slot] * element size.
  virtual Status Gather(const Selection& selection, const int64_t* offsets,
                        uint8_t* values) const = 0;
  // Memory that the block keeps until it is destroyed.
  virtual int64_t bytes_held() const = 0;

 protected:
  using ColumnBlock::ColumnBlock;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_COLUMN_BLOCK_H_
