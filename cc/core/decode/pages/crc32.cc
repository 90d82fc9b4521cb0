// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/crc32.h"

#include "arrow/util/crc32.h"

#ifdef __x86_64__
#include <emmintrin.h>
#include <wmmintrin.h>
#endif

namespace rowfeed {
namespace {

// The portable way, for other processors and short inputs: Arrow's implementation,
// which looks up tables.
uint32_t Crc32ByTables(uint32_t before, const uint8_t* data, size_t size) {
  return arrow::internal::crc32(before, data, size);
}

#ifdef __x86_64__

// A message is seen as a polynomial over GF(2), in which bits at lower addresses are
// higher powers. Its checksum is the remainder of a division by a polynomial of degree
// 32. The remainder stays the same if 128 bits of the message are removed, multiplied
// by x^n modulo the polynomial, and added n bits further on. Carry-less multiplication
// does this for 16 bytes at a time ("folding"), until the last 16 bytes stand for the
// whole message.

// Returns x^n mod the polynomial, with its bits reversed, as those of the data are. It
// is shifted left by one bit, which a product of two reversed numbers lacks.
constexpr int64_t PowerOfX(int n) {
  constexpr uint32_t kPolynomial = 0xedb88320;  // the polynomial, its bits reversed
  uint32_t power = 0x80000000;                  // x^0
  for (int i = 0; i < n; ++i) {
    power = (power >> 1) ^ ((power & 1) != 0 ? kPolynomial : 0);
  }
  return static_cast<int64_t>(power) << 1;
}

#define ROWFEED_FOLDING __attribute__((target("pclmul,sse2")))

ROWFEED_FOLDING __m128i Load(const uint8_t* data) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

// Moves `bytes` forward by the distance that `powers` stands for, and adds the bytes
// `there` that lie at that place.
ROWFEED_FOLDING __m128i Fold(__m128i bytes, __m128i powers, __m128i there) {
  const __m128i first = _mm_clmulepi64_si128(bytes, powers, 0x00);
  const __m128i last = _mm_clmulepi64_si128(bytes, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(first, last), there);
}

// Returns the powers of x that move 16 bytes forward by kBits bits. The first 8 bytes
// need 64 bits more than the last 8.
template <int kBits>
ROWFEED_FOLDING __m128i Powers() {
  constexpr int64_t kFirst = PowerOfX(kBits + 32);
  constexpr int64_t kLast = PowerOfX(kBits - 32);
  return _mm_set_epi64x(kLast, kFirst);
}

constexpr size_t kLane = 16;
// Number of lanes folded side by side, as the processor needs several cycles for a
// product.
constexpr size_t kLanes = 4;

// Folds all whole lanes of `data`, which has at least kLane * kLanes bytes, into the 16
// bytes `rest`, and returns the number of bytes consumed. `state` is the checksum of
// the bytes before, without its final inversion.
ROWFEED_FOLDING size_t FoldAll(uint32_t state, const uint8_t* data, size_t size,
                               uint8_t* rest) {
  const __m128i far = Powers<8 * kLane * kLanes>();
  const __m128i near = Powers<8 * kLane>();
  __m128i lanes[kLanes];
  for (size_t i = 0; i < kLanes; ++i) lanes[i] = Load(data + i * kLane);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int>(state)));
  size_t done = kLane * kLanes;
  for (; size - done >= kLane * kLanes; done += kLane * kLanes) {
    for (size_t i = 0; i < kLanes; ++i) {
      lanes[i] = Fold(lanes[i], far, Load(data + done + i * kLane));
    }
  }
  __m128i all = lanes[0];
  for (size_t i = 1; i < kLanes; ++i) all = Fold(all, near, lanes[i]);
  for (; size - done >= kLane; done += kLane) {
    all = Fold(all, near, Load(data + done));
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(rest), all);
  return done;
}

uint32_t Crc32ByFolding(uint32_t before, const uint8_t* data, size_t size) {
  // Checksum that stands for a state of 0.
  constexpr uint32_t kNothingBefore = 0xffffffff;
  uint8_t rest[kLane];
  const size_t done = FoldAll(~before, data, size, rest);
  const uint32_t crc = Crc32ByTables(kNothingBefore, rest, kLane);
  return Crc32ByTables(crc, data + done, size - done);
}

bool CanFold() {
  static const bool can = __builtin_cpu_supports("pclmul") != 0;
  return can;
}

#endif  // __x86_64__

}  // namespace

uint32_t Crc32(uint32_t before, const uint8_t* data, size_t size) {
#ifdef __x86_64__
  if (size >= kLane * kLanes && CanFold()) return Crc32ByFolding(before, data, size);
#endif
  return Crc32ByTables(before, data, size);
}

}  // namespace rowfeed
