// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_FIXED_BLOCK_H_
#define ROWFEED_CORE_DECODE_BLOCKS_FIXED_BLOCK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/blocks/column_block.h"
#include "core/io/buffer_pool.h"

namespace rowfeed {

// Functions that make blocks whose rows all have one size. `buffers` own the memory
// that the pointers lead to.

// Makes a block of rows that lie side by side.
std::unique_ptr<ColumnBlock> MakeContiguousBlock(int64_t num_rows, int64_t row_bytes,
                                                 const uint8_t* rows,
                                                 std::vector<Buffer> buffers);

// Makes a block of wide rows that stay where they are, for instance in pages of the
// file: `rows` points to each.
std::unique_ptr<ColumnBlock> MakeScatteredBlock(int64_t num_rows, int64_t row_bytes,
                                                const uint8_t* const* rows,
                                                std::vector<Buffer> buffers);

// Makes a block of rows of `slots_per_row` dictionary indices each, which are looked up
// when the rows are gathered. Each slot of the dictionary has `width` bytes.
std::unique_ptr<ColumnBlock> MakeDictionaryBlock(int64_t num_rows,
                                                 int64_t slots_per_row, int64_t width,
                                                 const int32_t* indices,
                                                 const uint8_t* dictionary,
                                                 std::vector<Buffer> buffers);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_FIXED_BLOCK_H_
