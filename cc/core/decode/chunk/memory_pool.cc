// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/chunk/memory_pool.h"

#include <algorithm>

namespace rowfeed {
namespace {

// Never destroyed: a pool that is destroyed while one of Arrow's threads uses it aborts
// the process.
arrow::MemoryPool* ImmortalPool() {
  static arrow::MemoryPool* const pool = arrow::MemoryPool::CreateDefault().release();
  return pool;
}

}  // namespace

// Levels, values, a builder that doubles its memory and one page of each rarely take
// three times the size of the whole chunk: the factor is 4. The margin is for encodings
// that share prefixes, whose values may be far larger than any size in the footer.
int64_t MaxDecodedBytes(const ColumnChunk& chunk) {
  constexpr int64_t kMargin = int64_t{64} << 20;
  // The sum below cannot overflow with this many values.
  constexpr int64_t kMaxCounted = int64_t{1} << 50;
  const int64_t num_values = std::clamp<int64_t>(chunk.num_values, 0, kMaxCounted);
  return kMargin + 4 * (int64_t{chunk.uncompressed_kib} << 10) + 64 * num_values;
}

ChunkMemoryPool::ChunkMemoryPool(const ColumnChunk& chunk)
    : limit_(MaxDecodedBytes(chunk)),
      counted_(ImmortalPool()),
      capped_(&counted_, limit_) {}

}  // namespace rowfeed
