// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/interleave.h"

#include <algorithm>
#include <cstddef>

#include "core/batch/cache_line.h"
#include "core/width.h"

namespace rowfeed {
namespace {

// Number of rows that are written together. Their bytes should stay in the first-level
// cache until every column has been written.
constexpr int64_t kTileRows = 32;

// Prefetch the cache lines of bytes that are read soon, or written soon.
void PrefetchToRead(const uint8_t* begin, int64_t size) {
  for (int64_t i = 0; i < size; i += kCacheLine) __builtin_prefetch(begin + i, 0);
}

void PrefetchToWrite(const uint8_t* begin, int64_t size) {
  for (int64_t i = 0; i < size; i += kCacheLine) __builtin_prefetch(begin + i, 1);
}

}  // namespace

void Interleave(const std::vector<const uint8_t*>& columns, int64_t width,
                int64_t num_rows, uint8_t* out) {
  WithWidth(width, [&](auto value) {
    const int64_t row_bytes = static_cast<int64_t>(columns.size()) * value.get();
    for (int64_t begin = 0; begin < num_rows; begin += kTileRows) {
      const int64_t size = std::min(kTileRows, num_rows - begin);
      // The next tile reads one or two lines in as many places as there are columns.
      // The CPU does not foresee that, so they are prefetched here.
      const int64_t next_size = std::min(kTileRows, num_rows - begin - size);
      const int64_t next_bytes = next_size * value.get();
      uint8_t* const tile = out + begin * row_bytes;
      const uint8_t* next_out = tile + size * row_bytes;
      for (size_t k = 0; k < columns.size(); ++k) {
        const uint8_t* __restrict from = columns[k] + begin * value.get();
        uint8_t* __restrict to = tile + static_cast<int64_t>(k) * value.get();
        PrefetchToRead(from + size * value.get(), next_bytes);
        PrefetchToWrite(next_out, next_bytes);
        next_out += next_bytes;
        for (int64_t i = 0; i < size; ++i) {
          value.Copy(to + i * row_bytes, from + i * value.get());
        }
      }
    }
  });
}

}  // namespace rowfeed
