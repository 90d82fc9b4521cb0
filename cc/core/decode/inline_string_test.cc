// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/inline_string.h"

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
    EXPECT_TRUE(string.is_known());
    EXPECT_EQ(string.size(), size);
  }
}

TEST(InlineStringTest, OfLongOnesOnlyTheSizeIsKnown) {
  for (const int64_t size : {23, 64, 255, 256, 1 << 20}) {
    const InlineString string = Make(std::string(size, 'x'));
    EXPECT_FALSE(string.is_known());
    EXPECT_EQ(string.size(), size);
  }
  const int64_t most = (int64_t{1} << 32) - 1;
  EXPECT_EQ(InlineString::MakeUnknown(most).size(), most);
}

TEST(InlineStringTest, AShortOneThatIsNotAtHandHasItsSize) {
  const InlineString string = InlineString::MakeUnknown(3);
  EXPECT_FALSE(string.is_known());
  EXPECT_EQ(string.size(), 3);
}

}  // namespace
}  // namespace rowfeed
