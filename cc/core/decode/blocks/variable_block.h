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

// Functions that make blocks of rows of different lengths. `buffers` own the memory
// that the pointers lead to.

// Makes a block of rows that stay where they are: strings in pages, or lists of plain
// values. `rows` has a view of each; its `len` counts elements of `width` bytes.
std::unique_ptr<ColumnBlock> MakeViewBlock(int64_t num_rows, int64_t width,
                                           const parquet::ByteArray* rows,
                                           std::vector<Buffer> buffers);

// Makes a block of strings: row i is dictionary[indices[i]].
std::unique_ptr<ColumnBlock> MakeStringDictionaryBlock(
    int64_t num_rows, const int32_t* indices, const parquet::ByteArray* dictionary,
    std::vector<Buffer> buffers);

// Several slots that lie side by side and are counted as one, such as a list of fixed
// size.
struct Unit {
  int64_t slot_bytes;
  int64_t num_slots;

  int64_t bytes() const { return slot_bytes * num_slots; }
};

// Makes a block of dictionary-coded lists. Each of `rows` points to the dictionary
// indices (int32_t) of its slots; its `len` counts units.
std::unique_ptr<ColumnBlock> MakeListDictionaryBlock(int64_t num_rows, Unit unit,
                                                     const parquet::ByteArray* rows,
                                                     const uint8_t* dictionary,
                                                     std::vector<Buffer> buffers);

// Makes a block of lists of strings, in which a row is the bytes of all its strings,
// end to end. Each of `rows` points to `len` strings (ByteArray) or, if there is a
// dictionary, to `len` indices (int32_t).
std::unique_ptr<ColumnBlock> MakeStringListBlock(int64_t num_rows,
                                                 const parquet::ByteArray* rows,
                                                 const parquet::ByteArray* dictionary,
                                                 std::vector<Buffer> buffers);

// Makes a block that holds copies of the rows of `block`, which have units of
// `unit_bytes`, and nothing else. Returns nullptr if the copy would hold more than half
// of the memory that `block` holds.
Result<std::unique_ptr<VariableBlock>> CopyIfSmaller(
    const VariableBlock& block, int64_t unit_bytes,
    const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_VARIABLE_BLOCK_H_
