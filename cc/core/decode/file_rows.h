// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_FILE_ROWS_H_
#define ROWFEED_CORE_DECODE_FILE_ROWS_H_

#include <cstdint>
#include <memory>

#include "core/catalog/catalog.h"
#include "core/catalog/column.h"
#include "core/decode/blocks/column_block.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// Strings so wide (images, documents) that a window of them is an index, not data: rows
// stay in the file, and each is read once, into the batch that it belongs to. A window
// of the data itself would take a hundred times the memory, and a second copy.

// Whether the `num_rows` rows of a chunk are left in the file, by what its footer says.
bool AreRowsLeftInFile(const Column& column, const ColumnChunk& chunk,
                       int64_t num_rows);

// About how much a block of all `num_rows` rows of a chunk of a variable column holds.
int64_t VariableBlockBytes(const Column& column, const ColumnChunk& chunk,
                           int64_t num_rows);

// Blocks as of DecodeColumn, the first of which knows where the rows of a verbatim
// chunk of strings lie, and reads them when they are gathered. None if the pages are
// not what the footer says.
Result<PartBlocks> FindFileRows(const ChunkRequest& request,
                                const std::shared_ptr<BufferPool>& pool);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_FILE_ROWS_H_
