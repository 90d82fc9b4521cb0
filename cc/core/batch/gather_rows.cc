// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/gather_rows.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/batch/cache_line.h"
#include "core/width.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace rowfeed {
namespace {

template <typename Width, typename From>
void Gather(Width row, const uint8_t* __restrict in, const From* __restrict from,
            int64_t from_step, int64_t count, uint8_t* __restrict out,
            int64_t out_step) {
  for (int64_t i = 0; i < count; ++i) {
    row.Copy(out + i * out_step * row.get(),
             in + int64_t{from[i * from_step]} * row.get());
  }
}

#ifdef __SSE2__

template <typename T>
__m128i Pack(const std::array<T, 16 / sizeof(T)>& values) {
  if constexpr (sizeof(T) == 4) {
    return _mm_setr_epi32(values[0], values[1], values[2], values[3]);
  } else {
    return _mm_set_epi64x(values[1], values[0]);
  }
}

// Gathers rows of type T to `out`, which is a multiple of a cache line. Returns how
// many rows were written: all but a rest that fills no line. The stores bypass the
// caches, which pays only if they fill one line after the other.
template <typename T, typename From>
int64_t StreamRows(const uint8_t* __restrict in, const From* __restrict from,
                   int64_t count, uint8_t* __restrict out) {
  constexpr int64_t kVectors = kCacheLine / 16;
  constexpr int64_t kRows = 16 / sizeof(T);  // rows in one vector
  int64_t i = 0;
  for (; i + kVectors * kRows <= count; i += kVectors * kRows) {
    __m128i line[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) {
      std::array<T, kRows> values;
      for (int64_t k = 0; k < kRows; ++k) {
        const int64_t row = from[i + v * kRows + k];
        std::memcpy(&values[k], in + row * int64_t{sizeof(T)}, sizeof(T));
      }
      line[v] = Pack(values);
    }
    auto* to = reinterpret_cast<__m128i*>(out + i * int64_t{sizeof(T)});
    for (int64_t v = 0; v < kVectors; ++v) _mm_stream_si128(to + v, line[v]);
  }
  return i;
}

#endif

template <typename From>
int64_t StreamRows(const uint8_t* in, const From* from, int64_t count, int64_t width,
                   uint8_t* out) {
#ifdef __SSE2__
  if (width == 4) return StreamRows<int32_t, From>(in, from, count, out);
  if (width == 8) return StreamRows<int64_t, From>(in, from, count, out);
#endif
  return 0;
}

// Returns the number of rows before the first one that begins at a cache line; `count`
// if none does.
int64_t RowsToLine(const uint8_t* out, int64_t width, int64_t count) {
  const auto place = static_cast<int64_t>(reinterpret_cast<uintptr_t>(out));
  const int64_t bytes = -place & (kCacheLine - 1);
  return bytes % width == 0 ? std::min(count, bytes / width) : count;
}

template <typename From>
void GatherSideBySide(const uint8_t* in, const From* from, int64_t count, int64_t width,
                      uint8_t* out) {
  const int64_t head = RowsToLine(out, width, count);
  const int64_t done =
      head + StreamRows(in, from + head, count - head, width, out + head * width);
  WithWidth(width, [&](auto row) {
    Gather(row, in, from, 1, head, out, 1);
    Gather(row, in, from + done, 1, count - done, out + done * width, 1);
  });
}

}  // namespace

void GatherRows(const uint8_t* in, const uint32_t* from, int64_t count, int64_t width,
                uint8_t* out) {
  GatherSideBySide(in, from, count, width, out);
}

void GatherRows(const uint8_t* in, const uint32_t* from, int64_t from_step,
                int64_t count, int64_t width, uint8_t* out, int64_t out_step) {
  if (from_step == 1 && out_step == 1) {
    return GatherSideBySide(in, from, count, width, out);
  }
  WithWidth(width,
            [&](auto row) { Gather(row, in, from, from_step, count, out, out_step); });
}

void GatherRows(const uint8_t* in, const uint16_t* from, int64_t count, int64_t width,
                uint8_t* out, int64_t out_step) {
  if (out_step == 1) return GatherSideBySide(in, from, count, width, out);
  WithWidth(width, [&](auto row) { Gather(row, in, from, 1, count, out, out_step); });
}

void FenceRows() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace rowfeed
