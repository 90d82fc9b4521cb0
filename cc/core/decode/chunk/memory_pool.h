// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_MEMORY_POOL_H_
#define ROWFEED_CORE_DECODE_CHUNK_MEMORY_POOL_H_

#include <cstdint>

#include "arrow/memory_pool.h"
#include "core/catalog/catalog.h"

namespace rowfeed {

// Returns the number of bytes that decoding a chunk may take: a few times what the
// footer promises, so that a small file that lies gets kOutOfMemory and does not use up
// the machine's memory.
int64_t MaxDecodedBytes(const ColumnChunk& chunk);

// The memory pool that Arrow uses while it decodes one chunk. Refuses to allocate more
// than MaxDecodedBytes. All such pools draw on one pool that is never destroyed, and
// that is not the default pool that users of pyarrow see.
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
