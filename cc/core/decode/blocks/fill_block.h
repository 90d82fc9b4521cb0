// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_FILL_BLOCK_H_
#define ROWFEED_CORE_DECODE_BLOCKS_FILL_BLOCK_H_

#include <cstdint>
#include <memory>

#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/part.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Makes a block for rows that exist only to fill up a batch: zeros, or empty rows if
// the part is variable.
Result<std::unique_ptr<ColumnBlock>> MakeFillBlock(
    const Part& part, int64_t num_rows, const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_FILL_BLOCK_H_
