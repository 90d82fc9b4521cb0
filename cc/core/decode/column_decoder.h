// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_COLUMN_DECODER_H_
#define ROWFEED_CORE_DECODE_COLUMN_DECODER_H_

#include <memory>

#include "core/decode/blocks/column_block.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Reads, decompresses and decodes. Rows decoded are counted against group_rows: a chunk
// whose pages hold more or fewer is kCorrupt. Errors do not name path, group and
// column; the caller adds Catalog::Where. Thread-safe.
Result<PartBlocks> DecodeColumn(const ChunkRequest& request,
                                const std::shared_ptr<BufferPool>& pool);

// The same through Arrow's page reader and record reader alone: for what the paths
// above do not cover, and the oracle of their tests. Identical values.
Result<PartBlocks> DecodeColumnWithArrow(const ChunkRequest& request,
                                         const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_COLUMN_DECODER_H_
