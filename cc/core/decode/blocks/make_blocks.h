// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_MAKE_BLOCKS_H_
#define ROWFEED_CORE_DECODE_BLOCKS_MAKE_BLOCKS_H_

#include <memory>

#include "core/decode/blocks/column_block.h"
#include "core/decode/blocks/slots.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Makes the blocks of rows [request.begin_row, request.end_row), all of which `slots`
// must have. Returns an error if a list in a wanted row has not the size that the
// column promises.
Result<PartBlocks> MakeBlocks(Slots slots, const ChunkRequest& request,
                              const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_MAKE_BLOCKS_H_
