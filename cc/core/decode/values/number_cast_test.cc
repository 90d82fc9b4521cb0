// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/number_cast.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/conversion_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;

Column NumberColumn(DType dtype) {
  Column column;
  column.dtype = dtype;
  column.logical_type = DTypeName(dtype);
  return column;
}

std::shared_ptr<const Conversion> Cast(DType from, DType to) {
  return Make(NumberColumn(from), NumberColumn(to));
}

// Converts `values`, and checks that exactly those at the positions `refused` cannot be
// represented.
template <typename To, typename From>
void ExpectCast(DType from, DType to, const std::vector<From>& values,
                const std::vector<To>& expected,
                const std::vector<int64_t>& refused = {}) {
  SCOPED_TRACE(::testing::Message() << DTypeName(from) << " to " << DTypeName(to));
  std::vector<To> made(values.size());
  const auto conversion = Cast(from, to);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  EXPECT_EQ(ConvertAll(*conversion, bytes, std::ssize(values),
                       reinterpret_cast<uint8_t*>(made.data())),
            refused);
  EXPECT_EQ(made, expected);
}

TEST(NumberCastTest, IntegersThatFit) {
  ExpectCast<int8_t, int64_t>(DType::kInt64, DType::kInt8, {-128, 127, 128, -129},
                              {-128, 127, 0, 0}, {2, 3});
  ExpectCast<uint64_t, int64_t>(DType::kInt64, DType::kUInt64, {INT64_MAX, -1},
                                {INT64_MAX, 0}, {1});
  ExpectCast<int64_t, uint64_t>(DType::kUInt64, DType::kInt64,
                                {INT64_MAX, uint64_t{1} << 63}, {INT64_MAX, 0}, {1});
  ExpectCast<int32_t, uint8_t>(DType::kUInt8, DType::kInt32, {255}, {255});
  ExpectCast<uint16_t, uint8_t>(DType::kBool, DType::kUInt16, {0, 1}, {0, 1});
}

TEST(NumberCastTest, FloatsThatAreIntegers) {
  const double inf = std::numeric_limits<double>::infinity();
  ExpectCast<int32_t, double>(
      DType::kFloat64, DType::kInt32,
      {-0.0, 1e9, 0.5, NAN, inf, -inf, 2147483648, -2147483648, 2147483647},
      {0, 1'000'000'000, 0, 0, 0, 0, 0, INT32_MIN, INT32_MAX}, {2, 3, 4, 5, 6});
  ExpectCast<int64_t, double>(DType::kFloat64, DType::kInt64, {0x1p63, -0x1p63},
                              {0, INT64_MIN}, {0});
  ExpectCast<uint64_t, float>(DType::kFloat32, DType::kUInt64, {0x1p63F, -1, 0x1p64F},
                              {uint64_t{1} << 63, 0, 0}, {1, 2});
  // The numbers 1, 1.5 and 65504 as float16.
  ExpectCast<int32_t, uint16_t>(DType::kFloat16, DType::kInt32,
                                {0x3c00, 0x3e00, 0x7bff}, {1, 0, 65504}, {1});
}

TEST(NumberCastTest, OnlyZeroAndOneAreBools) {
  ExpectCast<uint8_t, int64_t>(DType::kInt64, DType::kBool, {0, 1, 2, -1}, {0, 1, 0, 0},
                               {2, 3});
  ExpectCast<uint8_t, float>(DType::kFloat32, DType::kBool, {0, -0.0F, 1, 0.5F, NAN},
                             {0, 0, 1, 0, 0}, {3, 4});
}

TEST(NumberCastTest, FloatsAreRounded) {
  const double inf = std::numeric_limits<double>::infinity();
  ExpectCast<float, double>(DType::kFloat64, DType::kFloat32,
                            {0.1, 1e39, -inf, 16777217, 16777219},
                            {0.1F, INFINITY, -INFINITY, 16777216, 16777220});
  ExpectCast<float, int64_t>(DType::kInt64, DType::kFloat32, {16777217, -3},
                             {16777216, -3});
  ExpectCast<double, uint64_t>(DType::kUInt64, DType::kFloat64, {UINT64_MAX}, {0x1p64});
}

TEST(NumberCastTest, Float16ThereAndBack) {
  std::vector<uint16_t> halves(1 << 16);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
  const auto floats = Convert<double>(*Cast(DType::kFloat16, DType::kFloat64), halves);
  const auto back = Convert<uint16_t>(*Cast(DType::kFloat64, DType::kFloat16), floats);
  for (size_t i = 0; i < halves.size(); ++i) {
    const bool is_number = (i & 0x7fff) <= 0x7c00;
    EXPECT_EQ(std::isnan(floats[i]), !is_number);
    EXPECT_EQ(back[i], is_number ? i : 0x7e00 | (i & 0x8000));
  }
}

// Rounds numbers between two neighbours of 16 bits: the middle goes to the even
// neighbour; a number that differs from the middle by the least that float64 can
// express goes to the nearer one.
void ExpectRoundsAt(DType dtype, uint16_t bits, double low, double high) {
  SCOPED_TRACE(::testing::Message() << DTypeName(dtype) << " " << bits);
  const double middle = low + (high - low) / 2;
  const auto even = static_cast<uint16_t>(bits + (bits & 1));
  const auto next = static_cast<uint16_t>(bits + 1);
  EXPECT_THAT(Convert<uint16_t>(
                  *Cast(DType::kFloat64, dtype),
                  std::vector<double>{low, middle, high, std::nextafter(middle, low),
                                      std::nextafter(middle, high)}),
              ElementsAre(bits, even, next, bits, next));
}

TEST(NumberCastTest, SmallFloatsAreRoundedOnce) {
  for (uint16_t bits = 0; bits < 0x7c00; ++bits) {
    // If the upper neighbour is infinity, rounding treats it as the power of two that
    // would come next.
    const auto value = [](uint16_t b) {
      const int exponent = b >> 10;
      return exponent == 0 ? std::ldexp(b, -24)
                           : std::ldexp(1024 + (b & 1023), exponent - 25);
    };
    ExpectRoundsAt(DType::kFloat16, bits, value(bits), value(bits + 1));
  }
  for (uint16_t bits = 0; bits < 0x7f80; ++bits) {
    const auto value = [](uint16_t b) {
      const int exponent = b >> 7;
      return exponent == 0 ? std::ldexp(b, -133)
                           : std::ldexp(128 + (b & 127), exponent - 134);
    };
    ExpectRoundsAt(DType::kBFloat16, bits, value(bits), value(bits + 1));
  }
  EXPECT_THAT(Convert<uint16_t>(*Cast(DType::kFloat32, DType::kBFloat16),
                                std::vector<float>{NAN, -INFINITY, -1, -0.0F}),
              ElementsAre(0x7fc0, 0xff80, 0xbf80, 0x8000));
}

TEST(NumberCastTest, LongIntegersAreRoundedToSmallFloatsOnce) {
  // The middle between two bfloat16 numbers above 2^62, and the integers beside it.
  const int64_t middle = (int64_t{1} << 62) + (int64_t{1} << 54);
  EXPECT_THAT(Convert<uint16_t>(
                  *Cast(DType::kInt64, DType::kBFloat16),
                  std::vector<int64_t>{middle - 1, middle, middle + 1, -middle - 1}),
              ElementsAre(0x5e80, 0x5e80, 0x5e81, 0xde81));
  EXPECT_THAT(Convert<uint16_t>(*Cast(DType::kUInt64, DType::kBFloat16),
                                std::vector<uint64_t>{UINT64_MAX, 1, 257, 259}),
              ElementsAre(0x5f80, 0x3f80, 0x4380, 0x4382));
  EXPECT_THAT(Convert<uint16_t>(*Cast(DType::kInt64, DType::kFloat16),
                                std::vector<int64_t>{65519, 65520, -65520, 2049}),
              ElementsAre(0x7bff, 0x7c00, 0xfc00, 0x6800));
}

TEST(NumberCastTest, SaysWhatCannotBe) {
  const auto refusal = [](DType from, DType to, auto value) {
    return Cast(from, to)->Refusal(reinterpret_cast<const uint8_t*>(&value));
  };
  EXPECT_EQ(refusal(DType::kInt64, DType::kInt8, int64_t{300}),
            "300 (int64) cannot be represented as int8");
  EXPECT_EQ(refusal(DType::kFloat64, DType::kInt8, 0.1),
            "0.1 (float64) cannot be represented as int8");
  EXPECT_EQ(refusal(DType::kFloat16, DType::kBool, uint16_t{0x3e00}),
            "1.5 (float16) cannot be represented as bool");
  const Column number = NumberColumn(DType::kInt32);
  const Column text = NumberColumn(DType::kString);
  EXPECT_THAT(MakeConversion(number, number.storage, text, {}),
              StatusIs(StatusCode::kInvalid, "int32 cannot become string"));
  EXPECT_THAT(MakeConversion(text, text.storage, number, {}),
              StatusIs(StatusCode::kInvalid, "string cannot become int32"));
}

}  // namespace
}  // namespace rowfeed
