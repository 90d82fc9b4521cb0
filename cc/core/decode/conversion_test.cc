// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/conversion.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "parquet/types.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const Conversion> Make(const Column& source, const Column& wanted) {
  auto conversion = MakeConversion(source, source.storage, wanted, {});
  EXPECT_THAT(conversion, testing::IsOk());
  return conversion.ok() ? *conversion : nullptr;
}

template <typename Out, typename In>
std::vector<Out> Convert(const Conversion& conversion, const std::vector<In>& values) {
  std::vector<Out> elements(values.size());
  const int64_t count = conversion.Convert(
      reinterpret_cast<const uint8_t*>(values.data()), std::ssize(values),
      reinterpret_cast<uint8_t*>(elements.data()));
  EXPECT_EQ(count, std::ssize(values));
  return elements;
}

Column DecimalColumn(ColumnStorage::Physical physical, int16_t scale,
                     int32_t type_length = 0) {
  Column column;
  column.dtype = DType::kFloat64;
  column.storage.physical = physical;
  column.storage.type_length = type_length;
  column.storage.decimal_scale = scale;
  return column;
}

double Decimal(const std::string& big_endian, int16_t scale) {
  const Column fixed = DecimalColumn(ColumnStorage::kFixedLenByteArray, scale,
                                     static_cast<int32_t>(big_endian.size()));
  double result;
  EXPECT_EQ(Make(fixed, fixed)
                ->Convert(reinterpret_cast<const uint8_t*>(big_endian.data()), 1,
                          reinterpret_cast<uint8_t*>(&result)),
            1);
  const Column variable = DecimalColumn(ColumnStorage::kByteArray, scale);
  const parquet::ByteArray view{big_endian};
  EXPECT_THAT(Convert<double>(*Make(variable, variable), std::vector{view}),
              ElementsAre(result));
  return result;
}

TEST(ConversionTest, DecimalsOfEveryNumberOfBytes) {
  for (size_t size = 1; size <= 32; ++size) {
    SCOPED_TRACE(size);
    EXPECT_EQ(Decimal(std::string(size - 1, '\0') + '\x7f', 1), 12.7);
    EXPECT_EQ(Decimal(std::string(size - 1, '\xff') + '\x80', 1), -12.8);
    EXPECT_EQ(Decimal('\x40' + std::string(size - 1, '\0'), 0),
              std::ldexp(1.0, static_cast<int>(8 * size - 2)));
    EXPECT_EQ(Decimal('\x80' + std::string(size - 1, '\0'), 0),
              -std::ldexp(1.0, static_cast<int>(8 * size - 1)));
  }
  // The high bit of the last word is not the sign.
  EXPECT_EQ(Decimal(std::string(1, '\0') + '\x80' + std::string(7, '\0'), 0), 0x1p63);
  EXPECT_EQ(Decimal("\xff\x7f" + std::string(7, '\xff'), 0), -0x1p63 - 1);
}

TEST(ConversionTest, DecimalsAtTheEdgeOfTheExactPath) {
  const auto decimals = [](const std::vector<int64_t>& values, int16_t scale) {
    const Column column = DecimalColumn(ColumnStorage::kInt64, scale);
    return Convert<double>(*Make(column, column), values);
  };
  EXPECT_THAT(decimals({9007199254740992, 9007199254740993, -9007199254740993}, 0),
              ElementsAre(9007199254740992, 9007199254740992, -9007199254740992));
  EXPECT_THAT(decimals({9007199254740993, 1, -3}, 22),
              ElementsAre(9007199254740993e-22, 1e-22, -3e-22));
  EXPECT_THAT(decimals({9007199254740991, 7, 0}, 23),
              ElementsAre(9007199254740991e-23, 7e-23, 0));
  EXPECT_THAT(decimals({INT64_MAX, INT64_MIN}, 18),
              ElementsAre(9.223372036854775807, -9.223372036854775808));
}

TEST(ConversionTest, ADecimalOfNoBytesIsRefused) {
  const Column column = DecimalColumn(ColumnStorage::kByteArray, 2);
  const auto conversion = Make(column, column);
  const std::string long_value(33, '\0');
  const parquet::ByteArray values[] = {parquet::ByteArray{"a"}, parquet::ByteArray{""},
                                       parquet::ByteArray{long_value}};
  double elements[3];
  const auto* bytes = reinterpret_cast<const uint8_t*>(values);
  auto* out = reinterpret_cast<uint8_t*>(elements);
  EXPECT_EQ(conversion->Convert(bytes, 3, out), 1);
  EXPECT_THAT(conversion->Refusal(bytes + sizeof(values[0])), HasSubstr("1 to 32"));
  EXPECT_THAT(ConvertAll(*conversion, bytes, 3, out), ElementsAre(1, 2));
  EXPECT_THAT(elements, ElementsAre(0.97, 0, 0));
}

struct Int96 {
  int64_t nanos;
  uint32_t day;
} __attribute__((packed));

Column Int96Column() {
  Column column;
  column.dtype = DType::kInt64;
  column.unit = "ns";
  column.storage.physical = ColumnStorage::kInt96;
  return column;
}

std::shared_ptr<const Conversion> Int96To(const std::string& unit) {
  Column wanted = Int96Column();
  wanted.unit = unit;
  return Make(Int96Column(), wanted);
}

TEST(ConversionTest, Int96InEveryUnit) {
  const std::vector<Int96> values = {{1'999'999'999, 2'440'588}, {-1, 2'440'588}};
  EXPECT_THAT(Convert<int64_t>(*Int96To("ns"), values), ElementsAre(1'999'999'999, -1));
  EXPECT_THAT(Convert<int64_t>(*Int96To("us"), values), ElementsAre(1'999'999, -1));
  EXPECT_THAT(Convert<int64_t>(*Int96To("ms"), values), ElementsAre(1'999, -1));
  EXPECT_THAT(Convert<int64_t>(*Int96To("s"), values), ElementsAre(1, -1));
}

TEST(ConversionTest, Int96HoldsMoreThanNanosecondsDo) {
  // The first and the last nanosecond, then one before and one behind.
  const std::vector<Int96> values = {{763'145'224'192, 2'333'836},
                                     {85'636'854'775'807, 2'547'339},
                                     {763'145'224'191, 2'333'836},
                                     {85'636'854'775'808, 2'547'339},
                                     {0, 5'373'484}};
  int64_t elements[5];
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  EXPECT_THAT(
      ConvertAll(*Int96To("ns"), bytes, 5, reinterpret_cast<uint8_t*>(elements)),
      ElementsAre(2, 3, 4));
  EXPECT_THAT(elements, ElementsAre(INT64_MIN, INT64_MAX, 0, 0, 0));
  EXPECT_EQ(Int96To("ns")->Refusal(bytes + 4 * sizeof(Int96)),
            "a timestamp of 9999-12-31 does not fit in int64 ns: ask for a coarser "
            "unit, such as \"us\"");
  EXPECT_THAT(Convert<int64_t>(*Int96To("us"), values),
              ElementsAre(-9223372036854776, 9223372036854775, -9223372036854776,
                          9223372036854775, 253402214400000000));
  EXPECT_THAT(Convert<int64_t>(*Int96To("s"), std::vector<Int96>{{0, UINT32_MAX}}),
              ElementsAre((int64_t{UINT32_MAX} - 2'440'588) * 86'400));
}

Column TimeColumn(DType dtype, const std::string& unit) {
  Column column;
  column.dtype = dtype;
  column.unit = unit;
  column.logical_type = "time in " + unit;
  column.storage.physical =
      dtype == DType::kInt32 ? ColumnStorage::kInt32 : ColumnStorage::kInt64;
  return column;
}

TEST(ConversionTest, UnitsOfTimes) {
  const Column ms = TimeColumn(DType::kInt64, "ms");
  const Column of_day = TimeColumn(DType::kInt32, "ms");
  const auto times = [](const char* unit) { return TimeColumn(DType::kInt64, unit); };
  EXPECT_EQ(Make(ms, ms), nullptr);
  EXPECT_THAT(Convert<int64_t>(*Make(ms, times("s")),
                               std::vector<int64_t>{-1001, -1000, -1, 0, 999, 1000}),
              ElementsAre(-2, -1, -1, 0, 0, 1));
  EXPECT_THAT(Convert<int64_t>(*Make(ms, times("ns")), std::vector<int64_t>{-3, 4}),
              ElementsAre(-3'000'000, 4'000'000));
  EXPECT_THAT(
      Convert<int64_t>(*Make(of_day, times("us")), std::vector<int32_t>{86'399'999}),
      ElementsAre(86'399'999'000));
  EXPECT_THAT(Convert<int64_t>(*Make(of_day, times("s")), std::vector<int32_t>{1999}),
              ElementsAre(1));
}

TEST(ConversionTest, UnitsAreOfTimesOnly) {
  const Column ms = TimeColumn(DType::kInt64, "ms");
  const auto make = [](const Column& source, const std::string& unit) {
    Column wanted = source;
    wanted.unit = unit;
    return MakeConversion(source, source.storage, wanted, {});
  };
  EXPECT_THAT(make(ms, "minutes"), StatusIs(StatusCode::kInvalid, "not \"minutes\""));
  EXPECT_THAT(make(TimeColumn(DType::kInt32, "days"), "s"),
              StatusIs(StatusCode::kInvalid, "durations, not time in days"));
  EXPECT_THAT(make(TimeColumn(DType::kInt64, ""), "s"),
              StatusIs(StatusCode::kInvalid, "unit is for"));
}

Column NumberColumn(DType dtype) {
  Column column;
  column.dtype = dtype;
  column.logical_type = DTypeName(dtype);
  return column;
}

std::shared_ptr<const Conversion> Cast(DType from, DType to) {
  return Make(NumberColumn(from), NumberColumn(to));
}

// What is made of `values` of which those at `refused` cannot be represented.
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
  // 1, 1.5 and 65504 as float16.
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

// Between two neighbours of 16 bits: the middle goes to the even one, what is beside it
// by the least that float64 can tell to the nearer.
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
    // Where the next is infinite, it counts as the power of two that it would be.
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
  // 1.5 ulp of bfloat16 at 2^62, and one beside it.
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

TEST(ConversionTest, DecimalsThatAreIntegers) {
  const Column fixed = DecimalColumn(ColumnStorage::kFixedLenByteArray, 2, 12);
  Column wanted = fixed;
  wanted.dtype = DType::kUInt64;
  // 12, 12.5, -1, 2^64 - 1 and 2^64, in hundredths.
  const std::vector<std::string> integers = {
      std::string(10, '\0') + "\x04\xb0", std::string(10, '\0') + "\x04\xe2",
      std::string(11, '\xff') + "\x9c",
      std::string("\0\0\0\x63", 4) + std::string(7, '\xff') + "\x9c",
      std::string("\0\0\0\x64", 4) + std::string(8, '\0')};
  std::string bytes;
  for (const std::string& integer : integers) bytes += integer;
  uint64_t elements[5];
  const auto conversion = Make(fixed, wanted);
  const auto* values = reinterpret_cast<const uint8_t*>(bytes.data());
  EXPECT_THAT(ConvertAll(*conversion, values, 5, reinterpret_cast<uint8_t*>(elements)),
              ElementsAre(1, 2, 4));
  EXPECT_THAT(elements, ElementsAre(12, 0, 0, UINT64_MAX, 0));
  EXPECT_EQ(conversion->Refusal(values + 12),
            "12.50 (decimal) cannot be represented as uint64");
}

TEST(ConversionTest, CastsBehindOtherConversions) {
  const Column decimal = DecimalColumn(ColumnStorage::kInt64, 1);
  Column wanted = decimal;
  wanted.dtype = DType::kFloat32;
  EXPECT_THAT(Convert<float>(*Make(decimal, wanted), std::vector<int64_t>(2000, 15)),
              ::testing::Each(1.5F));
  Column seconds = TimeColumn(DType::kInt64, "s");
  seconds.dtype = DType::kInt32;
  std::vector<int64_t> millis(2000, 1500);
  millis[1500] = INT64_MAX;
  const auto conversion = Make(TimeColumn(DType::kInt64, "ms"), seconds);
  std::vector<int32_t> elements(millis.size());
  EXPECT_EQ(conversion->Convert(reinterpret_cast<const uint8_t*>(millis.data()), 2000,
                                reinterpret_cast<uint8_t*>(elements.data())),
            1500);
  EXPECT_EQ(conversion->Refusal(reinterpret_cast<const uint8_t*>(&millis[1500])),
            "9223372036854775 (int64) cannot be represented as int32");
}

}  // namespace
}  // namespace rowfeed
