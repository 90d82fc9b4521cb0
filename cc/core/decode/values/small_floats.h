// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_SMALL_FLOATS_H_
#define ROWFEED_CORE_DECODE_VALUES_SMALL_FLOATS_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace rowfeed {

// The two floating-point types of 16 bits. Conversion to them rounds to the nearest
// number, and to the even one if two are equally near; values that are too large become
// infinite. The functions have no branches, so that the compiler can vectorise loops
// over them.

struct Float16 {
  uint16_t bits;
};

struct BFloat16 {
  uint16_t bits;
};

inline float ToFloat(Float16 value) {
  constexpr uint32_t kExponent = 0x7c00U << 13;
  constexpr uint32_t kRebias = (127U - 15U) << 23;
  const uint32_t shifted = (value.bits & 0x7fffU) << 13;
  // The value is infinite or not a number.
  const bool is_special = (shifted & kExponent) == kExponent;
  const bool is_subnormal = (shifted & kExponent) == 0;
  const uint32_t normal = shifted + (is_special ? 2 * kRebias : kRebias);
  // A subnormal number has no implicit leading bit. kLeast adds one, and is subtracted
  // again.
  constexpr uint32_t kLeast = 113U << 23;
  const float subnormal =
      std::bit_cast<float>(shifted + kLeast) - std::bit_cast<float>(kLeast);
  const uint32_t sign = (value.bits & 0x8000U) << 16;
  return std::bit_cast<float>(
      sign | (is_subnormal ? std::bit_cast<uint32_t>(subnormal) : normal));
}

inline Float16 ToFloat16(float value) {
  constexpr uint32_t kInfinity = 255U << 23;
  constexpr uint32_t kTooLarge = (127U + 16U) << 23;
  constexpr uint32_t kLeastNormal = 113U << 23;
  // Adding kAlign shifts the bits of a subnormal to the low end of the sum; the
  // addition rounds them.
  constexpr uint32_t kAlign = ((127U - 15U) + (23U - 10U) + 1U) << 23;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffU;
  const uint32_t special = magnitude > kInfinity ? 0x7e00U : 0x7c00U;
  const uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) +
                                                     std::bit_cast<float>(kAlign)) -
                             kAlign;
  const uint32_t odd = (magnitude >> 13) & 1U;
  const uint32_t normal = (magnitude - ((127U - 15U) << 23) + 0xfffU + odd) >> 13;
  const uint32_t rounded = magnitude >= kTooLarge     ? special
                           : magnitude < kLeastNormal ? subnormal
                                                      : normal;
  return {static_cast<uint16_t>(rounded | (bits >> 16 & 0x8000U))};
}

inline BFloat16 ToBFloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
  const uint32_t not_a_number = bits >> 16 | 0x40U;
  return {static_cast<uint16_t>(value == value ? rounded : not_a_number)};
}

// Rounds `value` to a float in such a way that rounding once more, to 16 bits, gives
// the same result as rounding `value` directly. If `value` is not a float, the result
// is that one of the two floats around it whose last bit is 1 ("round to odd").
inline float RoundToOdd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto widened = static_cast<double>(nearest);
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  bits -= std::fabs(widened) > std::fabs(value) ? 1U : 0U;
  bits |= widened != value ? 1U : 0U;
  return std::bit_cast<float>(bits);
}

// Does the same for 64-bit integers: rounds those beyond 2^53, which float64 does not
// hold exactly, to a float64 whose last bit is 1.
template <typename Integer>
double RoundToOdd(Integer value) {
  static_assert(sizeof(Integer) == 8);
  constexpr Integer kDropped = 0x7ff;
  const Integer odd =
      (value & ~kDropped) | ((value & kDropped) != 0 ? kDropped + 1 : 0);
  constexpr Integer kExact = Integer{1} << 53;
  bool is_exact = value <= kExact;
  if constexpr (Integer(-1) < 0) is_exact &= value >= -kExact;
  return static_cast<double>(is_exact ? value : odd);
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_SMALL_FLOATS_H_
