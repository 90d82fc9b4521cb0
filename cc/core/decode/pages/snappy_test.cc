// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/snappy.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "arrow/util/compression.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

using ::testing::HasSubstr;
using Block = std::vector<uint8_t>;

std::unique_ptr<arrow::util::Codec> ArrowCodec() {
  return arrow::util::Codec::Create(arrow::Compression::SNAPPY).ValueOrDie();
}

Block Compress(const Block& block) {
  const auto codec = ArrowCodec();
  const auto size = static_cast<int64_t>(block.size());
  Block stream(codec->MaxCompressedLen(size, block.data()));
  stream.resize(
      codec->Compress(size, block.data(), stream.size(), stream.data()).ValueOrDie());
  return stream;
}

// Memory of exactly the given size, so that a sanitizer notices each byte read or
// written beyond it.
Status Decompress(const Block& stream, Block* out) {
  return DecompressSnappy(stream, *out);
}

template <typename T>
void Append(T value, Block* block) {
  const size_t end = block->size();
  block->resize(end + sizeof(value));
  std::memcpy(block->data() + end, &value, sizeof(value));
}

// Returns bytes that look like those of typical columns, at least `size` of each.
std::vector<Block> Columns(size_t size, std::mt19937_64* random) {
  std::vector<Block> columns(7);
  while (columns[0].size() < size) Append<int64_t>((*random)() % 1000, &columns[0]);
  for (int64_t i = 0; columns[1].size() < size; ++i) Append(i, &columns[1]);
  while (columns[2].size() < size) Append((*random)(), &columns[2]);
  columns[3].assign(size, 0);
  while (columns[4].size() < size) {  // words
    const uint64_t word = (*random)() % 50;
    columns[4].insert(columns[4].end(), 1 + word % 11, static_cast<uint8_t>(word));
  }
  while (columns[5].size() < size) {  // copies of earlier bytes at any distance
    const size_t length = 1 + (*random)() % 90;
    const size_t distance = 1 + (*random)() % (columns[5].size() + 1);
    for (size_t i = 0; i < length; ++i) {
      const size_t end = columns[5].size();
      columns[5].push_back(distance > end ? i : columns[5][end - distance]);
    }
  }
  while (columns[6].size() < size) {  // patterns that repeat after few bytes
    const size_t period = 1 + (*random)() % 20;
    for (size_t i = 0; i < 100; ++i) {
      columns[6].push_back(static_cast<uint8_t>(i % period * 7));
    }
  }
  return columns;
}

TEST(SnappyTest, IsTheInverseOfCompression) {
  std::mt19937_64 random(3);
  for (const size_t size : {1, 15, 60, 61, 100, 300, 5000, 70'000, 300'000}) {
    for (const Block& column : Columns(size, &random)) {
      Block out(column.size());
      const Status status = Decompress(Compress(column), &out);
      ASSERT_TRUE(status.ok()) << status.message();
      ASSERT_EQ(out, column);
    }
  }
}

TEST(SnappyTest, DecodesEveryTagAsTheFormatSaysAndNearTheEndsToo) {
  for (int kind = 1; kind <= 3; ++kind) {
    for (uint32_t length = 4; length <= 64; ++length) {
      if (kind == 1 && length > 11) continue;
      for (const uint32_t offset :
           {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 40, 100, 300}) {
        for (const uint32_t behind : {0, 1, 70, 200}) {
          Block expected;
          for (uint32_t i = 0; i < 300; ++i) {
            expected.push_back(static_cast<uint8_t>(i * i));
          }
          Block body = {61 << 2, 299 & 255, 299 >> 8};  // a literal of 300 bytes
          body.insert(body.end(), expected.begin(), expected.end());
          if (kind == 1) {
            body.push_back(offset >> 8 << 5 | (length - 4) << 2 | 1);
            body.push_back(offset & 255);
          } else {
            body.push_back((length - 1) << 2 | kind);
            for (int i = 0; i < (kind == 2 ? 2 : 4); ++i) {
              body.push_back(offset >> (8 * i));
            }
          }
          for (uint32_t i = 0; i < length; ++i) {
            expected.push_back(expected[expected.size() - offset]);
          }
          for (uint32_t i = 0; i < behind; ++i) {  // literals of one byte
            body.push_back(0);
            body.push_back(i);
            expected.push_back(i);
          }
          Block stream = {static_cast<uint8_t>(expected.size() | 128),
                          static_cast<uint8_t>(expected.size() >> 7)};
          stream.insert(stream.end(), body.begin(), body.end());
          Block out(expected.size());
          ASSERT_TRUE(Decompress(stream, &out).ok());
          ASSERT_EQ(out, expected) << kind << ' ' << length << ' ' << offset;
        }
      }
    }
  }
}

TEST(SnappyTest, TellsDamageAsArrowDoes) {
  std::mt19937_64 random(5);
  const auto codec = ArrowCodec();
  int num_refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const size_t size = trial % 3 == 0 ? 30 : 600;
    for (const Block& column : Columns(size, &random)) {
      Block stream = Compress(column);
      for (uint64_t k = random() % 4; k > 0; --k) {
        stream[random() % stream.size()] = static_cast<uint8_t>(random());
      }
      if (random() % 4 == 0) stream.resize(random() % stream.size());
      stream.shrink_to_fit();
      Block expected(column.size());
      const auto found = codec->Decompress(stream.size(), stream.data(),
                                           expected.size(), expected.data());
      const bool is_good =
          found.ok() && *found == static_cast<int64_t>(expected.size());
      Block out(column.size());
      ASSERT_EQ(Decompress(stream, &out).ok(), is_good);
      if (is_good) {
        ASSERT_EQ(out, expected);
      }
      num_refused += !is_good;
    }
  }
  EXPECT_GT(num_refused, 1000);
}

TEST(SnappyTest, SaysWhatItExpected) {
  Block out(10);
  const Status status = Decompress({10, 0}, &out);
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_THAT(status.message(),
              HasSubstr("a page of 2 bytes is not a Snappy stream of 10 bytes"));
  EXPECT_FALSE(Decompress({}, &out).ok());
  EXPECT_FALSE(Decompress({0xff, 0xff, 0xff, 0xff, 0xff}, &out).ok());
}

}  // namespace
}  // namespace rowfeed
