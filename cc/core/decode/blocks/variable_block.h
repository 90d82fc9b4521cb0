// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_VARIABLE_BLOCK_H_
#define ROWFEED_CORE_DECODE_BLOCKS_VARIABLE_BLOCK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/blocks/column_block.h"
#include "core/io/buffer_pool.h"
#include "parquet/types.h"

namespace rowfeed {

// Blocks of rows of different lengths. `buffers` own what the pointers lead to.

// Rows where they lie: strings in pages, lists of plain values. `len` counts elements
// of `width` bytes.
std::unique_ptr<ColumnBlock> MakeViewBlock(int64_t num_rows, int64_t width,
                                           const parquet::ByteArray* rows,
                                           std::vector<Buffer> buffers);

// Strings: row i is dictionary[indices[i]].
std::unique_ptr<ColumnBlock> MakeStringDictionaryBlock(
    int64_t num_rows, const int32_t* indices, const parquet::ByteArray* dictionary,
    std::vector<Buffer> buffers);

// Slots that lie side by side and are counted as one.
struct Unit {
  int64_t slot_bytes;
  int64_t num_slots;

  int64_t bytes() const { return slot_bytes * num_slots; }
};

// Lists: a row's `len` units are the dictionary's slots at the indices (int32_t) that
// it points to.
std::unique_ptr<ColumnBlock> MakeListDictionaryBlock(int64_t num_rows, Unit unit,
                                                     const parquet::ByteArray* rows,
                                                     const uint8_t* dictionary,
                                                     std::vector<Buffer> buffers);

// Lists of strings, as the bytes of all that are in a row: it points to `len` strings
// (ByteArray) or, if there is a dictionary, indices of them (int32_t).
std::unique_ptr<ColumnBlock> MakeStringListBlock(int64_t num_rows,
                                                 const parquet::ByteArray* rows,
                                                 const parquet::ByteArray* dictionary,
                                                 std::vector<Buffer> buffers);

// A block that holds copies of the rows of `block`, of units of `unit_bytes`, and
// nothing else; nullptr if that would not be at most half of what `block` holds.
Result<std::unique_ptr<VariableBlock>> CopyIfSmaller(
    const VariableBlock& block, int64_t unit_bytes,
    const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_VARIABLE_BLOCK_H_
