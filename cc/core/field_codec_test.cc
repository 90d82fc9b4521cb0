// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/field_codec.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace rowfeed {

enum class Color : uint8_t { kRed, kBlue };
enum class Shade : uint8_t { kRed, kGreen };

template <>
struct EnumTable<Color> {
  static constexpr auto kWhat = "color";
  static constexpr std::array kNames = {"red", "blue"};
};
template <>
struct EnumTable<Shade> {
  static constexpr auto kWhat = "shade";
  static constexpr std::array kNames = {"red", "green"};
};

namespace {

template <typename T>
struct Pair {
  T first = {};
  int64_t second = 0;

  static constexpr auto Fields() {
    return std::tuple(Field{"first", &Pair::first}, Field{"second", &Pair::second});
  }
};

struct Swapped {
  int64_t first = 0;
  int64_t second = 0;

  static constexpr auto Fields() {
    return std::tuple(Field{"second", &Swapped::second},
                      Field{"first", &Swapped::first});
  }
};

struct Longer {
  int64_t first = 0;
  int64_t second = 0;
  bool third = false;

  static constexpr auto Fields() {
    return std::tuple(Field{"first", &Longer::first}, Field{"second", &Longer::second},
                      Field{"third", &Longer::third});
  }
};

template <typename T>
constexpr uint32_t LayoutOf() {
  return Codec<T>::Layout(LayoutDigest()).value;
}

TEST(FieldCodecTest, FieldsAreReadAsTheyWereWritten) {
  Pair<std::map<std::string, std::vector<std::optional<Color>>>> pair;
  pair.first = {{"a", {}}, {"b", {std::nullopt, Color::kBlue}}};
  pair.second = -5;
  WireWriter writer;
  Codec<decltype(pair)>::Write(pair, &writer);
  const std::string bytes = std::move(writer).Finish();
  WireReader reader(bytes);
  const auto read = Codec<decltype(pair)>::Read(&reader);
  EXPECT_TRUE(reader.AtEnd());
  EXPECT_EQ(read.first, pair.first);
  EXPECT_EQ(read.second, pair.second);
}

TEST(FieldCodecTest, ALayoutTellsTheNamesOrderAndTypesOfFields) {
  constexpr uint32_t kLayout = LayoutOf<Pair<int64_t>>();
  EXPECT_NE(LayoutOf<Swapped>(), kLayout);
  EXPECT_NE(LayoutOf<Longer>(), kLayout);
  EXPECT_NE(LayoutOf<Pair<uint64_t>>(), kLayout);
  EXPECT_NE(LayoutOf<Pair<int32_t>>(), kLayout);
  EXPECT_NE(LayoutOf<Pair<bool>>(), kLayout);
  EXPECT_NE(LayoutOf<Pair<std::string>>(), kLayout);
  EXPECT_NE(LayoutOf<Pair<std::optional<int64_t>>>(), kLayout);
  EXPECT_NE(LayoutOf<Pair<std::vector<int64_t>>>(),
            LayoutOf<Pair<std::optional<int64_t>>>());
}

TEST(FieldCodecTest, ALayoutTellsTheNamesOfEnumerators) {
  EXPECT_NE(LayoutOf<Pair<Color>>(), LayoutOf<Pair<Shade>>());
}

TEST(FieldCodecTest, KeysThatDoNotAscendAreRefused) {
  WireWriter writer;
  writer.Count(2);
  for (const char* key : {"b", "a"}) {
    writer.String(key);
    writer.Bool(true);
  }
  const std::string bytes = std::move(writer).Finish();
  WireReader reader(bytes);
  Codec<std::map<std::string, bool>>::Read(&reader);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace rowfeed
