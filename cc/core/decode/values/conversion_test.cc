// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/conversion.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "parquet/types.h"
#include "testing/conversion_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  // The high bit of the last word differs from the sign of the number.
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
  // The first and the last nanosecond of the range, then the one before and the one
  // after it.
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

TEST(ConversionTest, DecimalsThatAreIntegers) {
  const Column fixed = DecimalColumn(ColumnStorage::kFixedLenByteArray, 2, 12);
  Column wanted = fixed;
  wanted.dtype = DType::kUInt64;
  // The numbers 12, 12.5, -1, 2^64 - 1 and 2^64, stored as hundredths.
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
