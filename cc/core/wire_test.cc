// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/wire.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowfeed {

enum class Fruit : uint8_t { kApple, kPear };

template <>
struct EnumTable<Fruit> {
  static constexpr auto kWhat = "fruit";
  static constexpr std::array kNames = {"apple", "pear"};
};

namespace {

using testing::HasSubstr;

TEST(WireTest, BytesAreThoseOfEarlierReleases) {
  WireWriter writer;
  writer.Int(uint32_t{0x01020304});
  writer.Int(int16_t{-2});
  writer.Int(int64_t{3});
  writer.Enum(Fruit::kPear);
  writer.Bool(true);
  writer.String("ab");
  const std::string expected =
      std::string("\x04\x03\x02\x01") + std::string("\xfe\xff") +
      std::string("\x03\0\0\0\0\0\0\0", 8) + std::string("\x01\x01") +
      std::string("\x02\0\0\0\0\0\0\0ab", 10);
  EXPECT_EQ(std::move(writer).Finish(), expected);
}

template <typename T>
void ExpectSame(T value) {
  WireWriter writer;
  writer.Int(value);
  const std::string bytes = std::move(writer).Finish();
  WireReader reader(bytes);
  EXPECT_EQ(reader.Int<T>(), value);
  EXPECT_TRUE(reader.AtEnd());
}

TEST(WireTest, EveryIntegerIsReadAsItWasWritten) {
  ExpectSame(std::numeric_limits<int8_t>::min());
  ExpectSame(std::numeric_limits<uint8_t>::max());
  ExpectSame(std::numeric_limits<int16_t>::min());
  ExpectSame(std::numeric_limits<int32_t>::min());
  ExpectSame(std::numeric_limits<uint32_t>::max());
  ExpectSame(std::numeric_limits<int64_t>::min());
  ExpectSame(std::numeric_limits<int64_t>::max());
  ExpectSame(std::numeric_limits<uint64_t>::max());
}

std::string BytesOf(int64_t value) {
  WireWriter writer;
  writer.Int(value);
  return std::move(writer).Finish();
}

TEST(WireTest, IntegersOutsideOfTheirRangeAreRefused) {
  const auto is_read = [](int64_t value) {
    const std::string bytes = BytesOf(value);
    WireReader reader(bytes);
    const auto read = reader.IntIn<int64_t>(-1, 5);
    EXPECT_EQ(read, reader.ok() ? value : 0);
    return reader.ok();
  };
  EXPECT_TRUE(is_read(-1));
  EXPECT_TRUE(is_read(5));
  EXPECT_FALSE(is_read(-2));
  EXPECT_FALSE(is_read(6));
  // The same bits are no uint64_t in a range of int64_t.
  const std::string bytes = BytesOf(-1);
  WireReader reader(bytes);
  EXPECT_EQ(reader.IntIn<uint64_t>(-1, 5), 0U);
  EXPECT_FALSE(reader.ok());
}

TEST(WireTest, UnknownEnumeratorsAreRefused) {
  const auto read = [](const std::string& bytes) {
    WireReader reader(bytes);
    const auto fruit = reader.Enum<Fruit>();
    return std::pair(fruit, reader.AtEnd());
  };
  EXPECT_EQ(read("\x01"), std::pair(Fruit::kPear, true));
  EXPECT_EQ(read("\x02"), std::pair(Fruit::kApple, false));
  EXPECT_EQ(read("\xff"), std::pair(Fruit::kApple, false));
}

TEST(WireTest, BytesThatAreNoBoolAreRefused) {
  WireReader reader("\x02");
  EXPECT_FALSE(reader.Bool());
  EXPECT_FALSE(reader.ok());
}

TEST(WireTest, CountsThatTheBytesCannotHoldAreRefused) {
  const std::string bytes = BytesOf(2) + "1234";
  WireReader fits(bytes);
  EXPECT_EQ(fits.Count(/*min_bytes=*/2), 2U);
  EXPECT_TRUE(fits.ok());
  WireReader wide(bytes);
  EXPECT_EQ(wide.Count(/*min_bytes=*/3), 0U);
  EXPECT_FALSE(wide.ok());
  const std::string huge = BytesOf(-1);
  WireReader string(huge);
  EXPECT_EQ(string.String(), "");
  EXPECT_FALSE(string.ok());
}

TEST(WireTest, NothingIsReadBehindAFailure) {
  const std::string bytes = BytesOf(1) + BytesOf(7);
  WireReader reader(bytes);
  reader.Fail();
  EXPECT_EQ(reader.Int<int64_t>(), 0);
  EXPECT_EQ(reader.Count(1), 0U);
  EXPECT_FALSE(reader.AtEnd());
}

TEST(EnumTableTest, NamesAndEnumeratorsBelongTogether) {
  EXPECT_EQ(NumEnumerators<Fruit>(), 2U);
  EXPECT_EQ(LastEnumerator<Fruit>(), Fruit::kPear);
  EXPECT_STREQ(NameOf(Fruit::kPear), "pear");
  EXPECT_EQ(NameOf(static_cast<Fruit>(2)), nullptr);
  EXPECT_EQ(EnumeratorNamed<Fruit>("apple"), Fruit::kApple);
}

TEST(EnumTableTest, UnknownNamesAreErrors) {
  EXPECT_EQ(EnumeratorNamed<Fruit>("plum"), std::nullopt);
  const Result<Fruit> parsed = ParseEnumerator<Fruit>("plum");
  EXPECT_EQ(parsed.status().code(), StatusCode::kInvalid);
  EXPECT_THAT(parsed.status().message(), HasSubstr("no such fruit: plum"));
}

}  // namespace
}  // namespace rowfeed
