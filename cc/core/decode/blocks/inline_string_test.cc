// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/inline_string.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

InlineString Make(const std::string& text) {
  return InlineString::Make(reinterpret_cast<const uint8_t*>(text.data()),
                            std::ssize(text));
}

TEST(InlineStringTest, ShortOnesAreTheirSizeTimesFourTheirBytesAndZeros) {
  for (size_t size = 0; size <= InlineString::kMaxSize; ++size) {
    const std::string text = std::string("abcdefghijklmnopqrstuvwxyz").substr(0, size);
    std::string expected(1, static_cast<char>(4 * size));
    expected += text;
    expected.resize(sizeof(InlineString));
    const InlineString string = Make(text);
    EXPECT_EQ(std::memcmp(string.bytes, expected.data(), sizeof(string)), 0) << size;
    EXPECT_TRUE(string.is_short());
    EXPECT_EQ(string.size(), size);
    EXPECT_EQ(string.data(), string.bytes + 1);
  }
}

TEST(InlineStringTest, LongOnesAreTheirSizeAndWhereTheirBytesAre) {
  const std::string text = "a long one";
  const auto* data = reinterpret_cast<const uint8_t*>(text.data());
  for (const int64_t size : {int64_t{23}, int64_t{64}, int64_t{255}, int64_t{256},
                             int64_t{1} << 20, (int64_t{1} << 32) - 1}) {
    const InlineString string = InlineString::Make(data, size);
    EXPECT_FALSE(string.is_short());
    EXPECT_EQ(string.size(), size);
    EXPECT_EQ(string.data(), data);
  }
}

}  // namespace
}  // namespace rowfeed
