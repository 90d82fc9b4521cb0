// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_MEMORY_POOL_H_
#define ROWFEED_CORE_DECODE_CHUNK_MEMORY_POOL_H_

#include <cstdint>

#include "arrow/memory_pool.h"
#include "core/catalog/catalog.h"

namespace rowfeed {

// What a chunk may take while it is decoded: a few times what the footer promises, so
// that a small lying file gets kOutOfMemory instead of the machine's memory.
int64_t MaxDecodedBytes(const ColumnChunk& chunk);

// What Arrow may allocate while it decodes one chunk: that much. Draws on one immortal
// pool, apart from the one that pyarrow's user sees.
class ChunkMemoryPool {
 public:
  explicit ChunkMemoryPool(const ColumnChunk& chunk);
  arrow::MemoryPool* get() { return &capped_; }
  int64_t limit() const { return limit_; }

 private:
  const int64_t limit_;
  arrow::ProxyMemoryPool counted_;
  arrow::CappedMemoryPool capped_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_MEMORY_POOL_H_
