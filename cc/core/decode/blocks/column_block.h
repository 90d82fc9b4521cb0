// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_COLUMN_BLOCK_H_
#define ROWFEED_CORE_DECODE_BLOCKS_COLUMN_BLOCK_H_

#include <cstdint>
#include <memory>

#include "core/decode/blocks/inline_string.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Which rows of a block go where: row rows[i] of the block becomes slot slots[i] of a
// batch. Slots ascend, so that the output is written front to back.
struct Selection {
  const uint32_t* rows;
  const uint32_t* slots;
  int64_t size;
};

// The same for rows that lie in the order of the batch already: row begin + i becomes
// slot slots[i].
struct RowRun {
  int64_t begin;
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
  // Memory that the block keeps until it is destroyed.
  virtual int64_t bytes_held() const = 0;

 protected:
  explicit ColumnBlock(int64_t num_rows) : num_rows_(num_rows) {}

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
  // Makes rows[0], rows[1], ..., rows[size - 1] the block's rows, in this order: what
  // is known of them is read at random once, and in order from then on. Before the
  // block is shared.
  virtual Status Select(const uint32_t* rows, int64_t size,
                        const std::shared_ptr<BufferPool>& pool) = 0;
  // Of strings that the block holds: refers to each row, in order. From then on the
  // block has no rows, and keeps what the references lead to. Before it is shared.
  virtual Status Refer(const std::shared_ptr<BufferPool>& pool,
                       const InlineString** rows) = 0;
  // Writes each row's length to lengths[slot].
  virtual void Lengths(const RowRun& run, int64_t* lengths) const = 0;
  // Copies each row to values + offsets[slot] * element size.
  virtual Status Gather(const RowRun& run, const int64_t* offsets,
                        uint8_t* values) const = 0;

 protected:
  using ColumnBlock::ColumnBlock;
};

// One block per part of the column as it is delivered: FixedBlocks, and VariableBlocks
// for parts that are variable. Null where ChunkRequest::places have the rows already.
using PartBlocks = std::vector<std::unique_ptr<ColumnBlock>>;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_COLUMN_BLOCK_H_
