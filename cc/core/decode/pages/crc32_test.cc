// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/crc32.h"

#include <array>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

uint32_t Of(std::string_view text) {
  return Crc32(0, reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

// Computes the checksum bit by bit, as a reference.
uint32_t Slowly(uint32_t before, const uint8_t* data, size_t size) {
  uint32_t state = ~before;
  for (size_t i = 0; i < size; ++i) {
    state ^= data[i];
    for (int bit = 0; bit < 8; ++bit) {
      state = (state >> 1) ^ ((state & 1) != 0 ? 0xedb88320 : 0);
    }
  }
  return ~state;
}

// The expected checksums are from Python's zlib.crc32.
TEST(Crc32Test, IsThatOfZlib) {
  EXPECT_EQ(Of(""), 0u);
  EXPECT_EQ(Of("a"), 0xe8b7be43u);
  EXPECT_EQ(Of("123456789"), 0xcbf43926u);
  std::array<uint8_t, 1000> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7);
  EXPECT_EQ(Crc32(0, bytes.data(), bytes.size()), 0x114ad5ffu);
  EXPECT_EQ(Crc32(0, bytes.data(), 64), 0xd324a7d4u);
}

TEST(Crc32Test, EverySizeAndPlaceIsRight) {
  std::mt19937_64 random(3);
  std::vector<uint8_t> bytes(1 << 12);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  for (size_t size = 0; size < 400; ++size) {
    for (const size_t place : {0, 1, 7, 8, 15}) {
      const uint8_t* const data = bytes.data() + place;
      EXPECT_EQ(Crc32(0, data, size), Slowly(0, data, size)) << size << " " << place;
    }
  }
  EXPECT_EQ(Crc32(5, bytes.data(), bytes.size()),
            Slowly(5, bytes.data(), bytes.size()));
}

TEST(Crc32Test, PartsOfAMessageAddUp) {
  const std::vector<uint8_t> bytes(3000, 0xa5);
  const uint32_t whole = Crc32(0, bytes.data(), bytes.size());
  for (const size_t cut : {0, 1, 63, 64, 65, 128, 2999, 3000}) {
    const uint32_t first = Crc32(0, bytes.data(), cut);
    EXPECT_EQ(Crc32(first, bytes.data() + cut, bytes.size() - cut), whole) << cut;
  }
}

}  // namespace
}  // namespace rowfeed
