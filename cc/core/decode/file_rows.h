// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_FILE_ROWS_H_
#define ROWFEED_CORE_DECODE_FILE_ROWS_H_

#include <cstdint>
#include <memory>

#include "core/catalog/catalog.h"
#include "core/catalog/schema/column.h"
#include "core/decode/blocks/column_block.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Strings so wide (images, documents) that a block of them holds places, not data: the
// strings stay in the file, and each is read once, straight into the batch that it
// belongs to. A window of the data itself would take about a hundred times the memory,
// and each string would be copied a second time.

// Whether the `num_rows` rows of a chunk are left in the file. The decision needs only
// what the footer says.
bool AreRowsLeftInFile(const Column& column, const ColumnChunk& chunk,
                       int64_t num_rows);

// Estimates how many bytes a block of all `num_rows` rows of a chunk of a variable-size
// column holds.
int64_t VariableBlockBytes(const Column& column, const ColumnChunk& chunk,
                           int64_t num_rows);

// Like DecodeColumn, for an uncompressed chunk of strings. The first block knows only
// where the requested rows lie in the file, and reads them when they are gathered. The
// result is empty if the pages are not stored as the footer says.
Result<PartBlocks> FindFileRows(const ChunkRequest& request,
                                const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_FILE_ROWS_H_
