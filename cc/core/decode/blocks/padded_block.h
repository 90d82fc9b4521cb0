// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_PADDED_BLOCK_H_
#define ROWFEED_CORE_DECODE_BLOCKS_PADDED_BLOCK_H_

#include <memory>

#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/row_finder.h"
#include "core/decode/blocks/slots.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Makes FixedBlocks of rows that are padded as request.padding says: first the values,
// then, if the request asks for a mask of elements, which of these are neither null nor
// padding.
Result<PartBlocks> MakePaddedBlocks(Slots slots, const RowRange& rows,
                                    const ChunkRequest& request,
                                    const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_PADDED_BLOCK_H_
