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

// Says which rows of a block go to which slots of a batch: row rows[i] becomes slot
// slots[i]. Slots ascend, so that the output is written front to back.
struct Selection {
  const uint32_t* rows;
  const uint32_t* slots;
  int64_t size;
};

// Like Selection, for rows that lie in the block in the order of the batch: row begin +
// i becomes slot slots[i].
struct RowRun {
  int64_t begin;
  const uint32_t* slots;
  int64_t size;
};

// Rows [0, num_rows) of one part of a column, from one block of a row group, ready to
// be gathered into batches in any order, any number of times. A block need not hold its
// data: it may hold dictionary indices, pages in plain encoding, or places in a file.
// Nulls are filled or refused already. Immutable and thread-safe once made.
class ColumnBlock {
 public:
  virtual ~ColumnBlock() = default;

  int64_t num_rows() const { return num_rows_; }
  // Number of bytes that the block keeps in memory until it is destroyed.
  virtual int64_t bytes_held() const = 0;

 protected:
  explicit ColumnBlock(int64_t num_rows) : num_rows_(num_rows) {}

  int64_t num_rows_;
};

// A block whose rows all have the same number of bytes.
class FixedBlock : public ColumnBlock {
 public:
  // Copies each selected row to the place of its slot, out + slot * row_bytes.
  virtual Status Gather(const Selection& selection, uint8_t* out) const = 0;
  // Copies all rows to `out`, side by side and in order.
  virtual void CopyRows(uint8_t* out) const = 0;

 protected:
  using ColumnBlock::ColumnBlock;
};

// A block of rows of different lengths. Lengths are counted in elements (bytes for
// strings and binaries).
class VariableBlock : public ColumnBlock {
 public:
  // Makes rows[0], rows[1], ..., rows[size - 1] the block's rows, in this order. What
  // the block knows of its rows is then read at random only here, and in order in each
  // later gather. Call it before the block is shared between threads.
  virtual Status Select(const uint32_t* rows, int64_t size,
                        const std::shared_ptr<BufferPool>& pool) = 0;
  // Only for blocks of strings that are in memory. Sets rows[i] to a reference to the
  // string of row i. After the call the block has no rows any more; it only keeps the
  // memory that the references need. Call it before the block is shared between
  // threads.
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

// One block for each part of a column (part.h): a FixedBlock, or a VariableBlock if the
// part is variable. nullptr where the rows are already at ChunkRequest::places.
using PartBlocks = std::vector<std::unique_ptr<ColumnBlock>>;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_COLUMN_BLOCK_H_
