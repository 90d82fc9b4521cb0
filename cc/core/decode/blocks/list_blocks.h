// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_LIST_BLOCKS_H_
#define ROWFEED_CORE_DECODE_BLOCKS_LIST_BLOCKS_H_

#include <memory>

#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/row_finder.h"
#include "core/decode/blocks/slots.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/decode/levels/nested_levels.h"
#include "core/io/buffer_pool.h"
#include "core/io/pooled_array.h"
#include "core/status.h"
#include "parquet/types.h"

namespace rowfeed {

// Functions that make the blocks for the parts of a column whose rows are lists of any
// length.

// Returns a view (pointer and length) of the slots of each row, or of their dictionary
// indices. The length counts units. A row that had to be copied together is added to
// slots->buffers.
Result<PooledArray<parquet::ByteArray>> ViewRows(
    Slots* slots, const RowRange& rows, const std::shared_ptr<BufferPool>& pool);

// Makes the block of the values.
Result<std::unique_ptr<ColumnBlock>> MakeLists(Slots slots, const RowRange& rows,
                                               const std::shared_ptr<BufferPool>& pool);

// Makes the block of the lengths of the lists at one depth inside the lists of rows.
Result<std::unique_ptr<ColumnBlock>> MakeLengths(
    InnerLists lists, const RowRange& rows, const std::shared_ptr<BufferPool>& pool);

// Returns the string in a slot, looked up in the dictionary if there is one.
const parquet::ByteArray& StringAt(const Slots& slots, int64_t slot);

// Makes the block of the lengths of strings in lists.
Result<std::unique_ptr<ColumnBlock>> MakeStringLengths(
    const Slots& slots, const RowRange& rows, const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_LIST_BLOCKS_H_
