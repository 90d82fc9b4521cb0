// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_CHUNK_MEMORY_H_
#define ROWFEED_CORE_DECODE_CHUNK_CHUNK_MEMORY_H_

#include <cstdint>

#include "core/catalog/catalog.h"
#include "core/catalog/column.h"

namespace rowfeed {

// How rows of a chunk are decoded, as far as it decides what that takes.
struct ChunkDecoding {
  int64_t group_rows;      // rows of the row group
  int64_t num_rows;        // rows that are decoded at once, at most
  bool has_shape = false;  // as in ChunkRequest
  // A block holds rows of a fixed size until they are gathered. Otherwise they go to
  // their places page by page.
  bool holds_rows = false;
  bool has_mask = false;  // there is a byte for each value
};

// Bytes that a stored value takes once it is decoded as `wanted`; one for strings.
int64_t DecodedValueBytes(const Column& wanted);

// About how much a thread holds of a chunk while it decodes some of its rows, by what
// the footer says: bytes as read, decompressed and decoded. What batches hold, and
// blocks of variable columns (VariableBlockBytes), is not counted.
int64_t DecodingBytes(const Column& stored, const Column& wanted,
                      const ColumnChunk& chunk, const ChunkDecoding& how);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_CHUNK_MEMORY_H_
