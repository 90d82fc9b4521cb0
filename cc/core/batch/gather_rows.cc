// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/gather_rows.h"

#include <array>
#include <cstring>

#include "core/decode/width.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace rowfeed {
namespace {

template <typename Width>
void Gather(Width row, const uint8_t* __restrict in, const uint32_t* __restrict from,
            int64_t count, uint8_t* __restrict out) {
  for (int64_t i = 0; i < count; ++i) {
    row.Copy(out + i * row.get(), in + int64_t{from[i]} * row.get());
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

// `out` is at a multiple of 16; returns how many rows were written, nearly all.
template <typename T>
int64_t StreamRows(const uint8_t* __restrict in, const uint32_t* __restrict from,
                   int64_t count, uint8_t* __restrict out) {
  constexpr int64_t kStep = 16 / sizeof(T);
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    std::array<T, kStep> values;
    for (int64_t k = 0; k < kStep; ++k) {
      std::memcpy(&values[k], in + int64_t{from[i + k]} * int64_t{sizeof(T)},
                  sizeof(T));
    }
    _mm_stream_si128(reinterpret_cast<__m128i*>(out + i * int64_t{sizeof(T)}),
                     Pack(values));
  }
  _mm_sfence();  // before whatever tells another thread of them
  return i;
}

#endif

int64_t StreamRows(const uint8_t* in, const uint32_t* from, int64_t count,
                   int64_t width, uint8_t* out) {
#ifdef __SSE2__
  if (reinterpret_cast<uintptr_t>(out) % 16 != 0) return 0;
  if (width == 4) return StreamRows<int32_t>(in, from, count, out);
  if (width == 8) return StreamRows<int64_t>(in, from, count, out);
#endif
  return 0;
}

}  // namespace

void GatherRows(const uint8_t* in, const uint32_t* from, int64_t count, int64_t width,
                uint8_t* out) {
  const int64_t done = StreamRows(in, from, count, width, out);
  WithWidth(width, [&](auto row) {
    Gather(row, in, from + done, count - done, out + done * width);
  });
}

}  // namespace rowfeed
