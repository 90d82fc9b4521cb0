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

// Reads, decompresses and decodes the requested rows of one column chunk. Returns
// kCorrupt if the pages of the chunk hold more or fewer rows than request.group_rows,
// as far as the pages were read. Errors do not name path, row group and column; the
// caller adds Catalog::Where. Thread-safe.
Result<PartBlocks> DecodeColumn(const ChunkRequest& request,
                                const std::shared_ptr<BufferPool>& pool);

// Does the same with Arrow's page reader and record reader alone, and returns identical
// values. For pages that DecodeColumn does not cover, and as the reference in its
// tests.
Result<PartBlocks> DecodeColumnWithArrow(const ChunkRequest& request,
                                         const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_COLUMN_DECODER_H_
