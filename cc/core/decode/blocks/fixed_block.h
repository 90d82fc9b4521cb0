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

// Blocks of rows of one size. `buffers` own what the pointers lead to.

// Rows side by side.
std::unique_ptr<ColumnBlock> MakeContiguousBlock(int64_t num_rows, int64_t row_bytes,
                                                 const uint8_t* rows,
                                                 std::vector<Buffer> buffers);

// Wide rows where they lie, in pages of the file for instance.
std::unique_ptr<ColumnBlock> MakeScatteredBlock(int64_t num_rows, int64_t row_bytes,
                                                const uint8_t* const* rows,
                                                std::vector<Buffer> buffers);

// Rows of `slots_per_row` indices into a dictionary of slots of `width` bytes, looked
// up as they are gathered.
std::unique_ptr<ColumnBlock> MakeDictionaryBlock(int64_t num_rows,
                                                 int64_t slots_per_row, int64_t width,
                                                 const int32_t* indices,
                                                 const uint8_t* dictionary,
                                                 std::vector<Buffer> buffers);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_FIXED_BLOCK_H_
