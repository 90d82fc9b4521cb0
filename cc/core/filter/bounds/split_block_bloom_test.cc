// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/split_block_bloom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "parquet/bloom_filter.h"
#include "parquet/properties.h"
#include "parquet/xxhasher.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::IsOk;

constexpr int64_t kOffset = 10;
constexpr int64_t kValues = 300;

class SplitBlockBloomTest : public ::testing::Test {
 protected:
  // Returns a bloom filter of the even numbers below 2 * kValues, as Arrow writes it.
  static std::string Written() {
    parquet::BlockSplitBloomFilter bloom;
    bloom.Init(512);
    for (int64_t i = 0; i < kValues; ++i) bloom.InsertHash(bloom.Hash(2 * i));
    auto sink = *arrow::io::BufferOutputStream::Create();
    bloom.WriteTo(sink.get());
    return (*sink->Finish())->ToString();
  }

  std::shared_ptr<const RandomAccessFile> FileOf(const std::string& bytes) {
    const std::string path = directory_.File("bloom");
    std::ofstream(path, std::ios::binary) << std::string(kOffset, '?') << bytes;
    return *OpenLocalFile(path);
  }

  testing::TempDir directory_;
};

TEST_F(SplitBlockBloomTest, SaysWhatArrowsSays) {
  const std::string bytes = Written();
  const auto file = FileOf(bytes);
  const auto bloom = SplitBlockBloom::Open(*file, kOffset, std::nullopt);
  ASSERT_THAT(bloom, IsOk());
  ASSERT_TRUE(bloom->has_value());
  arrow::io::BufferReader reader(arrow::Buffer::FromString(bytes));
  const auto arrows = parquet::BlockSplitBloomFilter::Deserialize(
      parquet::default_reader_properties(), &reader);
  const parquet::XxHasher hasher;
  int num_ruled_out = 0;
  for (int64_t value = 0; value < 4 * kValues; ++value) {
    const uint64_t hash = hasher.Hash(value);
    const Result<bool> may_hold = (*bloom)->MayHold(hash);
    ASSERT_THAT(may_hold, IsOk());
    EXPECT_EQ(*may_hold, arrows.FindHash(hash)) << value;
    num_ruled_out += *may_hold ? 0 : 1;
  }
  EXPECT_GT(num_ruled_out, 2 * kValues);
}

TEST_F(SplitBlockBloomTest, WhatIsDamagedOrElsewhereIsNone) {
  const std::string bytes = Written();
  const auto file = FileOf(bytes);
  for (const int64_t offset :
       {int64_t{-1}, int64_t{0}, file->size(), int64_t{1} << 40}) {
    const auto bloom = SplitBlockBloom::Open(*file, offset, std::nullopt);
    ASSERT_THAT(bloom, IsOk());
    EXPECT_FALSE(bloom->has_value()) << offset;
  }
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = FileOf(bytes.substr(0, size));
    const auto bloom = SplitBlockBloom::Open(*cut, kOffset, std::nullopt);
    ASSERT_THAT(bloom, IsOk());
    EXPECT_FALSE(bloom->has_value()) << size;
  }
}

TEST_F(SplitBlockBloomTest, WhatIsNotAsLongAsTheFooterSaysIsNone) {
  const std::string bytes = Written();
  const auto file = FileOf(bytes);
  const auto size = static_cast<int64_t>(bytes.size());
  EXPECT_TRUE(SplitBlockBloom::Open(*file, kOffset, size)->has_value());
  for (const int64_t length : {size - 1, size + 32, int64_t{512}, int64_t{0}}) {
    EXPECT_FALSE(SplitBlockBloom::Open(*file, kOffset, length)->has_value()) << length;
  }
}

TEST_F(SplitBlockBloomTest, WhatHasNoBitIsNone) {
  const std::string sound = Written();
  constexpr size_t kBlockBytes = 512;
  std::string bytes = sound;
  std::fill(bytes.end() - kBlockBytes, bytes.end(), '\0');
  const auto is_there = [&] {
    const auto file = FileOf(bytes);
    return SplitBlockBloom::Open(*file, kOffset, std::nullopt)->has_value();
  };
  EXPECT_FALSE(is_there());
  bytes.back() = '\1';  // beyond what was read with the header
  EXPECT_TRUE(is_there());
}

TEST_F(SplitBlockBloomTest, ABlockThatNoValuesMakeRulesOutNothing) {
  std::string bytes = Written();
  constexpr size_t kBlockBytes = 512;
  for (size_t i = bytes.size() - kBlockBytes; i < bytes.size(); i += 8) {
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(i), 4, '\0');
  }
  const auto file = FileOf(bytes);
  const auto bloom = SplitBlockBloom::Open(*file, kOffset, std::nullopt);
  ASSERT_TRUE(bloom->has_value());
  for (int64_t value = 0; value < 4 * kValues; ++value) {
    EXPECT_TRUE(*(*bloom)->MayHold(parquet::XxHasher().Hash(value))) << value;
  }
}

TEST_F(SplitBlockBloomTest, WhatHasAnotherAlgorithmOrLacksAFieldIsNone) {
  // The header: numBytes 32, algorithm BLOCK, hash XXHASH, compression UNCOMPRESSED.
  // Blocks follow.
  const std::string sound{
      "\x15\x40\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x00", 15};
  const std::string blocks(64, '\1');
  const auto is_known = [&](const std::string& header) {
    const auto file = FileOf(header + blocks);
    return SplitBlockBloom::Open(*file, kOffset, std::nullopt)->has_value();
  };
  EXPECT_TRUE(is_known(sound));
  for (const size_t kind : {3, 7, 11}) {  // the second kind of the union, not the first
    std::string other = sound;
    other[kind] = '\x2c';
    EXPECT_FALSE(is_known(other)) << kind;
  }
  std::string lacks = sound;
  lacks.erase(10, 4);  // removes the field `compression`
  EXPECT_FALSE(is_known(lacks));
  lacks = sound.substr(0, 2) + std::string(1, '\0');
  EXPECT_FALSE(is_known(lacks));
}

}  // namespace
}  // namespace rowfeed
