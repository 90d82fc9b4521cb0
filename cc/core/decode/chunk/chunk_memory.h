// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_CHUNK_MEMORY_H_
#define ROWFEED_CORE_DECODE_CHUNK_CHUNK_MEMORY_H_

#include <cstdint>

#include "core/catalog/catalog.h"
#include "core/catalog/schema/column.h"

namespace rowfeed {

// How rows of a chunk will be decoded, as far as it matters for the memory that it
// takes.
struct ChunkDecoding {
  int64_t group_rows;      // number of rows of the row group
  int64_t num_rows;        // largest number of rows decoded at once
  bool has_shape = false;  // see ChunkRequest::has_shape
  // True: a block holds rows of a fixed size until they are gathered. False: they go to
  // their places in batches page by page.
  bool holds_rows = false;
  bool has_mask = false;  // a mask with one byte per value is asked for
};

// Returns the number of bytes that a stored value takes once it is decoded as `wanted`;
// 1 for strings, whose size varies.
int64_t DecodedValueBytes(const Column& wanted);

// Estimates from the footer how many bytes a thread holds while it decodes some rows of
// a chunk: bytes as read, decompressed and decoded. Does not count the memory of
// batches, nor that of blocks of variable-size columns (VariableBlockBytes).
int64_t DecodingBytes(const Column& stored, const Column& wanted,
                      const ColumnChunk& chunk, const ChunkDecoding& how);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_CHUNK_MEMORY_H_
