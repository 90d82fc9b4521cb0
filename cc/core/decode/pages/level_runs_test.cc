// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/level_runs.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "parquet/column_writer.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;
using Levels = std::vector<int16_t>;

std::vector<uint8_t> Encode(int16_t max_level, const Levels& levels) {
  std::vector<uint8_t> out(parquet::LevelEncoder::MaxBufferSize(
      parquet::Encoding::RLE, max_level, static_cast<int>(levels.size())));
  parquet::LevelEncoder encoder;
  encoder.Init(parquet::Encoding::RLE, max_level, static_cast<int>(levels.size()),
               out.data(), static_cast<int>(out.size()));
  encoder.Encode(static_cast<int>(levels.size()), levels.data());
  out.resize(encoder.len());
  return out;
}

TEST(AllLevelsAreTest, SeesRunsOfOneLevel) {
  for (const int16_t max_level : {1, 2, 3, 7, 255}) {
    const auto runs = Encode(max_level, Levels(1000, max_level));
    EXPECT_TRUE(AllLevelsAre(max_level, max_level, runs, 1000));
    EXPECT_FALSE(AllLevelsAre(max_level - 1, max_level, runs, 1000));
    EXPECT_FALSE(AllLevelsAre(max_level, max_level, runs, 1001));
  }
  EXPECT_TRUE(AllLevelsAre(1, 1, {}, 0));
}

TEST(AllLevelsAreTest, SeesOneLevelThatDiffers) {
  for (const int64_t place : {0, 1, 500, 999}) {
    Levels levels(1000, 2);
    levels[place] = 1;
    EXPECT_FALSE(AllLevelsAre(2, 2, Encode(2, levels), 1000)) << place;
  }
}

TEST(AllLevelsAreTest, JoinsRuns) {
  const std::vector<uint8_t> runs = {20, 1, 40, 1};  // runs of 10 and 20 ones
  EXPECT_TRUE(AllLevelsAre(1, 1, runs, 30));
  EXPECT_FALSE(AllLevelsAre(1, 1, runs, 31));
}

std::vector<int32_t> StartsOf(const std::vector<uint8_t>& runs, int64_t num_values) {
  PooledArray<int32_t> starts(BufferPool::Make(1 << 20));
  EXPECT_TRUE(AppendRowStarts(runs, num_values, &starts).ok());
  return {starts.data(), starts.data() + starts.size()};
}

TEST(RowStartsTest, AreTheZeros) {
  std::mt19937_64 random(3);
  for (const double share : {0.0, 0.001, 0.03, 0.5, 0.97, 1.0}) {
    for (const int64_t size : {1, 7, 8, 9, 63, 64, 65, 1000, 5000}) {
      Levels levels(size);
      std::vector<int32_t> expected;
      for (int64_t i = 0; i < size; ++i) {
        levels[i] = !std::bernoulli_distribution(share)(random);
        if (levels[i] == 0) expected.push_back(static_cast<int32_t>(i));
      }
      EXPECT_EQ(StartsOf(Encode(1, levels), size), expected) << share << " " << size;
    }
  }
}

TEST(RowStartsTest, AcceptsALastGroupCutShort) {
  // Two groups of bit-packed levels, of which only 9 levels count: the last 7 bits may
  // be missing.
  EXPECT_THAT(StartsOf({0x05, 0xfe, 0x00}, 9), ElementsAre(0, 8));
}

TEST(RowStartsTest, RefusesWhatIsCutShort) {
  PooledArray<int32_t> starts(BufferPool::Make(1 << 20));
  const std::vector<uint8_t> packed = {0x05, 0xfe};
  EXPECT_THAT(AppendRowStarts(packed, 9, &starts),
              StatusIs(StatusCode::kCorrupt, "expected 9"));
  EXPECT_THAT(AppendRowStarts({}, 1, &starts),
              StatusIs(StatusCode::kCorrupt, "expected 1"));
  const std::vector<uint8_t> header_only = {0x80, 0x80, 0x80};
  EXPECT_THAT(AppendRowStarts(header_only, 1, &starts),
              StatusIs(StatusCode::kCorrupt, "expected 1"));
}

TEST(RowStartsTest, RefusesLevelsAboveOne) {
  PooledArray<int32_t> starts(BufferPool::Make(1 << 20));
  const std::vector<uint8_t> runs = {20, 2};
  EXPECT_THAT(AppendRowStarts(runs, 10, &starts),
              StatusIs(StatusCode::kCorrupt, "level of 2"));
}

TEST(CountRowStartsTest, CountsTheZerosOfEveryWidth) {
  std::mt19937_64 random(5);
  for (const int16_t max_level : {1, 2, 3, 4, 7, 100}) {
    for (const double share : {0.0, 0.03, 0.5, 1.0}) {
      for (const int64_t size : {1, 7, 8, 9, 65, 1000}) {
        Levels levels(size);
        for (int16_t& level : levels) {
          const bool starts = std::bernoulli_distribution(share)(random);
          level = starts ? 0 : static_cast<int16_t>(1 + random() % max_level);
        }
        ROWFEED_ASSERT_OK_AND_ASSIGN(
            const int64_t starts,
            CountRowStarts(max_level, Encode(max_level, levels), size));
        EXPECT_EQ(starts, std::count(levels.begin(), levels.end(), 0))
            << max_level << " " << share << " " << size;
      }
    }
  }
}

TEST(CountRowStartsTest, RefusesWhatIsCutShort) {
  for (const int16_t max_level : {1, 2, 7}) {
    const auto runs = Encode(max_level, {0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0});
    const int width = max_level == 1 ? 1 : max_level == 2 ? 2 : 3;
    EXPECT_THAT(CountRowStarts(max_level, runs, 100),
                StatusIs(StatusCode::kCorrupt, "expected 100"));
    // One group of 8 levels, though the run claims two.
    const Bytes cut(runs.data(), 1 + width);
    EXPECT_THAT(CountRowStarts(max_level, cut, 12),
                StatusIs(StatusCode::kCorrupt, "expected 12"));
  }
}

TEST(DecodeLevelsTest, CountsAndBoundsThem) {
  const Levels levels = {0, 1, 2, 3, 3, 3, 1};
  const auto runs = Encode(3, levels);
  Levels decoded(levels.size());
  ROWFEED_ASSERT_OK(DecodeLevels(3, runs, 7, decoded.data()));
  EXPECT_EQ(decoded, levels);
  decoded.resize(100);
  EXPECT_THAT(DecodeLevels(3, runs, 100, decoded.data()),
              StatusIs(StatusCode::kCorrupt, "expected 100"));
  // A level of 3 is above the maximum of 2, though both fit in two bits.
  EXPECT_THAT(DecodeLevels(2, runs, 7, decoded.data()),
              StatusIs(StatusCode::kCorrupt, ""));
}

}  // namespace
}  // namespace rowfeed
