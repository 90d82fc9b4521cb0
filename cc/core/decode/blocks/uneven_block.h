// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_UNEVEN_BLOCK_H_
#define ROWFEED_CORE_DECODE_BLOCKS_UNEVEN_BLOCK_H_

#include <cstdint>
#include <memory>

#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/row_finder.h"
#include "core/decode/blocks/slots.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Makes a block of rows of one size of which only the rows slots.even_rows really have
// that size. Those are kept; all others become zeros.
Result<std::unique_ptr<ColumnBlock>> MakeUnevenBlock(
    Slots slots, const RowRange& rows, int64_t slots_per_row,
    const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_UNEVEN_BLOCK_H_
