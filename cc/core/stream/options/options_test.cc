// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/options.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrow/type.h"
#include "core/catalog/schema/dtypes.h"
#include "core/plan/epoch_plan.h"
#include "core/stream/options/memory_plan.h"
#include "core/stream/options/stream_defaults.h"
#include "core/stream/options/validate_stream.h"
#include "gtest/gtest.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace rowfeed {
namespace {

TEST(StreamOptionsTest, SerializationRoundTripsAndRefusesGarbage) {
  StreamOptions options;
  options.columns = {{"a", {}}, {"b", "\0\1"}, {"c", ""}};
  options.order = {true, 5, 6, 7, 8};
  options.delivery = {9, 1, 2, Remainder::kPad};
  options.pinned_epoch = 3;
  options.max_batches_per_arena = 4;
  options.verify_checksums = true;
  const std::string bytes = options.Serialize();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions parsed, StreamOptions::Parse(bytes));
  EXPECT_EQ(parsed.Serialize(), bytes);
  EXPECT_TRUE(parsed.verify_checksums);
  EXPECT_TRUE(parsed.columns[2].fill.has_value());
  EXPECT_FALSE(parsed.columns[0].fill.has_value());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(StreamOptions::Parse(bytes.substr(0, size)).ok());
  }
  EXPECT_FALSE(StreamOptions::Parse(bytes + "x").ok());
}

StreamOptions OptionsOf(ColumnSpec spec) {
  StreamOptions options;
  options.columns = {std::move(spec)};
  return options;
}

TEST(StreamOptionsTest, WhatValuesBecomeIsSerialized) {
  ColumnSpec spec{.column = "a"};
  spec.dtype = DType::kBFloat16;
  spec.unit = "us";
  spec.encoding.vocabulary = *Vocabulary::Make({"x", "", std::string(1, '\0')}, -3, 5);
  std::string bytes = OptionsOf(spec).Serialize();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions parsed, StreamOptions::Parse(bytes));
  EXPECT_EQ(parsed.Serialize(), bytes);
  EXPECT_EQ(parsed.columns[0].dtype, DType::kBFloat16);
  EXPECT_EQ(parsed.columns[0].unit, "us");
  EXPECT_EQ(parsed.columns[0].encoding.vocabulary->Find(std::string(1, '\0')), 2);
  EXPECT_EQ(parsed.columns[0].encoding.vocabulary->unknown(), -3);
  EXPECT_EQ(parsed.columns[0].encoding.vocabulary->first(), 5);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(StreamOptions::Parse(bytes.substr(0, size)).ok());
  }
  // Damaged bytes are refused, or give other options that are valid.
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = value;
      const auto other = StreamOptions::Parse(damaged);
      if (!other.ok()) continue;
      EXPECT_LT(static_cast<size_t>(other->columns[0].dtype.value_or(DType::kBool)),
                kDTypes.size());
      EXPECT_GE(other->columns[0].encoding.num_buckets, 0);
    }
  }
}

TEST(StreamOptionsTest, EncodingsThatAreNoneAreRefused) {
  ColumnSpec spec{.column = "a"};
  spec.encoding.num_buckets = -1;
  EXPECT_FALSE(StreamOptions::Parse(OptionsOf(spec).Serialize()).ok());
  spec.encoding.num_buckets = 5;
  ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions parsed,
                               StreamOptions::Parse(OptionsOf(spec).Serialize()));
  EXPECT_EQ(parsed.columns[0].encoding.num_buckets, 5);
  spec.encoding.vocabulary = *Vocabulary::Make({"x"}, {});
  EXPECT_FALSE(StreamOptions::Parse(OptionsOf(spec).Serialize()).ok());
}

// Makes a data set with one column `x` of lists.
class CountsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::WriteParquet(
        directory_.File("a.parquet"),
        *testing::TableOf(
            {{arrow::field("x", arrow::list(arrow::int64())), "[[1], [2, 3]]"}}));
    ROWFEED_ASSERT_OK_AND_ASSIGN(
        catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
    options_ = OptionsOf({.column = "x"});
    options_.order.shuffle_window = 10;
    ROWFEED_ASSERT_OK(ValidateStream(options_, *catalog_));
  }

  // Returns the rows of the largest window in the first `num_epochs` epochs.
  int64_t LargestWindowOf(int64_t num_epochs) const {
    int64_t largest = 0;
    for (int64_t epoch = 0; epoch < num_epochs; ++epoch) {
      const EpochPlan plan(catalog_->group_rows(), options_.order, epoch);
      for (int64_t lane = 0; lane < plan.num_lanes(); ++lane) {
        for (int64_t index = 0; index < plan.num_windows(lane); ++index) {
          largest = std::max(largest, plan.window(lane, index).rows());
        }
      }
    }
    return largest;
  }

  testing::TempDir directory_;
  std::shared_ptr<const Catalog> catalog_;
  StreamOptions options_;
};

TEST_F(CountsTest, ThatWouldOverflowAreRefused) {
  options_.delivery.batch_size = INT64_MAX / 2;
  EXPECT_THAT(
      ValidateStream(options_, *catalog_),
      testing::StatusIs(StatusCode::kInvalid, "batch_size must be in [1, 2147483647]"));
  options_.delivery = {1, 0, INT64_MAX / 2};
  EXPECT_THAT(
      ValidateStream(options_, *catalog_),
      testing::StatusIs(StatusCode::kInvalid, "world_size must be in [1, 1048576]"));
  options_.delivery = {};
  options_.order.num_lanes = INT64_MAX;
  EXPECT_THAT(
      ValidateStream(options_, *catalog_),
      testing::StatusIs(StatusCode::kInvalid, "num_lanes must be in [1, 1048576]"));
  options_.order.num_lanes = 1;
  options_.num_threads = INT32_MAX;
  ROWFEED_EXPECT_OK(ValidateStream(options_, *catalog_));
  EXPECT_GT(DefaultMemoryBudget({catalog_}, options_), 0);
}

TEST_F(CountsTest, OfBytesBeyondAnyMemoryAreRefused) {
  options_.columns[0].padding = Padding{{INT32_MAX}, {}, std::string(8, '\0')};
  ROWFEED_EXPECT_OK(ValidateStream(options_, *catalog_));
  options_.delivery.batch_size = int64_t{1} << 30;
  EXPECT_THAT(ValidateStream(options_, *catalog_),
              testing::StatusIs(StatusCode::kInvalid, "take more than 2^60 bytes"));
  options_.delivery.remainder = Remainder::kPad;
  EXPECT_GT(DefaultMemoryBudget({catalog_}, options_), int64_t{1} << 60);
}

// A conversion needs room for its results, 8 bytes each, beside the values of the file.
TEST_F(CountsTest, OfMemoryKnowOfConversions) {
  testing::WriteParquet(directory_.File("a.parquet"),
                        *testing::Int64Table({"x"}, 100000));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  const int64_t as_stored = DefaultMemoryBudget({catalog_}, options_);
  options_.columns[0].dtype = DType::kFloat64;
  EXPECT_EQ(DefaultMemoryBudget({catalog_}, options_), as_stored + 8 * 100000);
}

TEST_F(CountsTest, OfRowsThatShareAnArenaFollowTheirBytes) {
  testing::WriteParquet(directory_.File("a.parquet"),
                        *testing::Int64Table({"x", "y"}, 1000));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  options_.columns = {{.column = "x"}};
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 1024);
  options_.columns.assign(200, {.column = "x"});
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 65536 / 1601);
  options_.columns = {{.column = "x"}};
  options_.delivery.batch_size = 64;
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 128);
  options_.delivery.batch_size = 5000;
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 1);
  options_.columns = {};
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 65536 / 5000);
}

// In a shared arena, columns of a stack would lie as far apart as those of the whole
// arena.
TEST_F(CountsTest, OfBatchesThatShareAnArenaIsOneWithStacksOfColumns) {
  testing::WriteParquet(directory_.File("a.parquet"),
                        *testing::Int64Table({"x"}, 1000));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  options_.columns.assign(2, {.column = "x", .stack = Stack{"all", /*by_rows=*/false}});
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 1);
}

// Each part of an arena takes a whole cache line, however few rows it has.
TEST_F(CountsTest, OfMemoryKnowOfSmallArenas) {
  testing::WriteParquet(directory_.File("a.parquet"),
                        *testing::Int64Table({"x"}, 1000));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  options_.columns.assign(100, {.column = "x"});
  options_.order.shuffle = true;
  options_.order.shuffle_window = 1000;
  options_.delivery.batch_size = 2;
  EXPECT_GE(PlanMemory({catalog_}, options_).window, 1000 / 2 * 100 * 64);
  options_.max_batches_per_arena = 50;
  EXPECT_LT(PlanMemory({catalog_}, options_).window, 1000 * 100 * 11);
}

TEST_F(CountsTest, OfRowsOfTheLargestWindowAreThoseThatAnyHas) {
  for (const std::vector<int64_t>& groups :
       {std::vector<int64_t>(9, 8), {8, 8, 8, 3}, {8, 8, 8, 8, 8, 1, 8, 5, 7}}) {
    for (size_t i = 0; i < groups.size(); ++i) {
      testing::WriteParquet(directory_.File(std::to_string(i) + ".parquet"),
                            *testing::Int64Table({"x"}, groups[i]));
    }
    std::filesystem::remove(directory_.File("a.parquet"));
    ROWFEED_ASSERT_OK_AND_ASSIGN(
        catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
    options_.order.shuffle = true;
    for (const auto& [lanes, block_rows] :
         {std::pair(1, 0), {3, 0}, {1, 3}, {1, 5}, {3, 3}}) {
      options_.order.num_lanes = lanes;
      options_.order.block_rows = block_rows;
      for (const int64_t window : {1, 7, 8, 16, 17, 24, 40, 1000}) {
        options_.order.shuffle_window = window;
        const int64_t planned = PlanMemory({catalog_}, options_).window_rows;
        const std::string where = std::to_string(lanes) + " lanes, blocks of " +
                                  std::to_string(block_rows) + ", " +
                                  std::to_string(window);
        EXPECT_LE(LargestWindowOf(200), planned) << where;
        EXPECT_LE(planned, window + window / 2 + 8) << where;
      }
    }
    options_.order.block_rows = 0;
    for (size_t i = 0; i < groups.size(); ++i) {
      std::filesystem::remove(directory_.File(std::to_string(i) + ".parquet"));
    }
  }
}

// If blocks are nearly equal, all windows have as many of them. A last window of less
// than half joins the one before.
TEST_F(CountsTest, OfRowsOfTheLargestWindowAreExactForEqualRowGroups) {
  for (int i = 0; i < 8; ++i) {
    testing::WriteParquet(directory_.File(std::to_string(i) + ".parquet"),
                          *testing::Int64Table({"x"}, 8));
  }
  std::filesystem::remove(directory_.File("a.parquet"));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  options_.order.shuffle = true;
  // Blocks of 8 rows, then of 2 and 3, and of 4.
  for (const auto& [block_rows, window, expected] : {std::tuple(0, 20, 24),
                                                     {0, 42, 64},
                                                     {0, 24, 24},
                                                     {3, 4, 6},
                                                     {5, 16, 16},
                                                     {5, 17, 24}}) {
    options_.order.block_rows = block_rows;
    options_.order.shuffle_window = window;
    EXPECT_EQ(LargestWindowOf(20), expected) << block_rows << ", " << window;
    EXPECT_EQ(PlanMemory({catalog_}, options_).window_rows, expected)
        << block_rows << ", " << window;
  }
}

// A batch of all rows has no more rows than there are.
TEST_F(CountsTest, OfMemoryKnowThatNoBatchHasMoreRowsThanAnEpoch) {
  testing::WriteParquet(directory_.File("a.parquet"),
                        *testing::Int64Table({"x"}, 1000));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  options_.order.shuffle = true;
  options_.order.shuffle_window = 1000;
  options_.delivery.batch_size = 1'000'000'000;
  for (const Remainder remainder : {Remainder::kUneven, Remainder::kDrop}) {
    options_.delivery.remainder = remainder;
    EXPECT_LT(PlanMemory({catalog_}, options_).minimum(), 100'000);
  }
  for (const Remainder remainder : {Remainder::kPad, Remainder::kWrap}) {
    options_.delivery.remainder = remainder;
    EXPECT_GT(PlanMemory({catalog_}, options_).minimum(), 8'000'000'000);
  }
}

TEST_F(CountsTest, OfRowsThatShareAnArenaFollowListsMasksAndStacks) {
  const int64_t bytes = 1 << 16;
  // The file has two rows with three numbers: on average 12 bytes, and 8 for an offset.
  const auto in_arena = [&] { return DefaultMaxBatchesPerArena(*catalog_, options_); };
  options_.columns.assign(100, {.column = "x"});
  EXPECT_EQ(in_arena(), bytes / (100 * (8 + 12)));
  for (ColumnSpec& spec : options_.columns) spec.mask = Mask::kRows;
  EXPECT_LE(in_arena(), bytes / (100 * (8 + 12 + 1)));
  testing::WriteParquet(directory_.File("a.parquet"),
                        *testing::Int64Table({"x"}, 1000));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  options_.columns.assign(100, {.column = "x", .stack = Stack{"all", true}});
  EXPECT_EQ(in_arena(), bytes / (100 * (8 + 8)));
}

TEST_F(CountsTest, OfRowsOfUnknownLengthThatShareAnArenaAreOne) {
  testing::WriteParquet(
      directory_.File("a.parquet"),
      *testing::TableOf({{arrow::field("x", arrow::list(arrow::int64())), "[]"}}));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 1);
}

// A growing data set may begin without rows.
TEST_F(CountsTest, OfRowsThatShareAnArenaAreKnownWithoutRows) {
  testing::WriteParquet(directory_.File("a.parquet"), *testing::Int64Table({"x"}, 0));
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      catalog_, Catalog::Open({directory_.path()}, std::nullopt, /*num_threads=*/1));
  options_.columns.assign(200, {.column = "x"});
  EXPECT_EQ(DefaultMaxBatchesPerArena(*catalog_, options_), 65536 / 1601);
}

TEST(StreamOptionsTest, ShapesPaddingAndMasksAreSerialized) {
  ColumnSpec spec{.column = "a"};
  spec.mask = Mask::kRows;
  spec.shape = {2, 3};
  spec.padding = Padding{{4, 5}, Padding::Truncate::kNever, "x"};
  const std::string bytes = OptionsOf(spec).Serialize();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions parsed, StreamOptions::Parse(bytes));
  EXPECT_EQ(parsed.Serialize(), bytes);
  EXPECT_EQ(parsed.columns[0].mask, Mask::kRows);
  EXPECT_EQ(parsed.columns[0].shape, spec.shape);
  EXPECT_EQ(parsed.columns[0].padding, spec.padding);
}

}  // namespace
}  // namespace rowfeed
