// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/epoch_splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/stream/batch_stream.h"
#include "testing/batch_stream_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kMax = INT64_MAX;
using Numbers = EpochSplit::Numbers;

// Two lanes, whose windows have about 4 rows.
StreamOptions Options(std::optional<int64_t> num_epochs = 1) {
  StreamOptions options;
  options.order = {true, /*seed=*/7, /*shuffle_window=*/4, /*block_rows=*/2,
                   /*num_lanes=*/2};
  options.num_epochs = num_epochs;
  options.delivery.batch_size = 3;
  return options;
}

EpochRows Rows(std::vector<int64_t> groups) {
  return {std::make_shared<const std::vector<int64_t>>(std::move(groups))};
}

// Returns the splits that are left, 100 at most.
std::vector<Numbers> Rest(EpochSplits* splits) {
  std::vector<Numbers> rest;
  EpochSplit split;
  while (rest.size() < 100 && splits->Next(&split)) rest.push_back(split.ToNumbers());
  return rest;
}

std::vector<Numbers> List(const StreamOptions& options, std::vector<int64_t> groups,
                          int64_t first_epoch = 0) {
  EpochSplits splits(options, Rows(std::move(groups)), first_epoch);
  return Rest(&splits);
}

// Without shuffling, windows are blocks: three in each lane, and one of them is short.
TEST(EpochSplitsTest, WindowsComeInTheOrderOfTheirFirstRowsInTheirLanes) {
  StreamOptions options = Options();
  options.order.shuffle = false;
  EXPECT_THAT(
      List(options, {6, 5}),
      ElementsAre(Numbers{0, 0, 0, 2}, Numbers{0, 1, 0, 1}, Numbers{0, 1, 1, 3},
                  Numbers{0, 0, 2, 4}, Numbers{0, 1, 3, 5}, Numbers{0, 0, 4, 6}));
}

// Expects the splits of one epoch to cover each of the two lanes from end to end.
void ExpectWholeLanes(const std::vector<Numbers>& splits, int64_t num_rows) {
  for (const int64_t lane : {0, 1}) {
    int64_t end = 0;
    for (const Numbers& split : splits) {
      if (split[1] != lane) continue;
      EXPECT_EQ(split[2], end);
      EXPECT_GT(split[3], split[2]);
      end = split[3];
    }
    EXPECT_EQ(end, (num_rows + 1 - lane) / 2) << lane;
  }
}

TEST(EpochSplitsTest, EachRowOfALaneIsInOneSplit) {
  for (const int64_t rows : {1, 2, 3, 7, 8, 9, 30}) {
    ExpectWholeLanes(List(Options(), {rows, 0, 1}), rows + 1);
  }
}

TEST(EpochSplitsTest, EpochsFollowOneAnotherFromTheFirst) {
  const std::vector<Numbers> splits = List(Options(3), {6, 5}, 5);
  std::vector<int64_t> epochs;
  for (const Numbers& split : splits) epochs.push_back(split[0]);
  epochs.erase(std::unique(epochs.begin(), epochs.end()), epochs.end());
  EXPECT_THAT(epochs, ElementsAre(5, 6, 7));
}

TEST(EpochSplitsTest, APinnedEpochKeepsItsWindowsAndCountsOn) {
  StreamOptions options = Options(2);
  options.pinned_epoch = 3;
  std::vector<Numbers> splits = List(options, {3, 1, 4, 1, 5});
  StreamOptions third = Options(1);
  std::vector<Numbers> pinned = List(third, {3, 1, 4, 1, 5}, 3);
  ASSERT_THAT(splits, SizeIs(2 * pinned.size()));
  for (size_t i = 0; i < splits.size(); ++i) {
    Numbers expected = pinned[i % pinned.size()];
    expected[0] = static_cast<int64_t>(i / pinned.size());
    EXPECT_EQ(splits[i], expected) << i;
  }
}

TEST(EpochSplitsTest, WithoutRowsEvenEndlessEpochsEnd) {
  EXPECT_THAT(List(Options(std::nullopt), {}), IsEmpty());
  EXPECT_THAT(List(Options(std::nullopt), {0, 0}), IsEmpty());
  EXPECT_THAT(List(Options(3), {0}), IsEmpty());
  EXPECT_THAT(List(Options(std::nullopt), {1}), SizeIs(100));
}

TEST(EpochSplitsTest, SurvivorsOfAFilterAreWhatCounts) {
  EpochRows rows = Rows({6, 5});
  // Blocks of 2 rows: three of the first row group, three of the second.
  rows.survivors = std::make_shared<const std::vector<int64_t>>(
      std::vector<int64_t>{1, 0, 2, 0, 0, 0});
  EpochSplits splits(Options(), rows, 0);
  ExpectWholeLanes(Rest(&splits), 3);
}

TEST(EpochSplitsTest, ResetGoesOnWithTheNextEpoch) {
  EpochSplits splits(Options(), Rows({6, 5}), 2);
  splits.Reset();  // Nothing was taken of epoch 2.
  EpochSplit split;
  ASSERT_TRUE(splits.Next(&split));
  EXPECT_EQ(split.epoch, 2);
  splits.Reset();  // In the middle of epoch 2.
  ASSERT_TRUE(splits.Next(&split));
  EXPECT_EQ(split.epoch, 3);
  Rest(&splits);
  splits.Reset();  // After the end.
  ASSERT_TRUE(splits.Next(&split));
  EXPECT_EQ(split.epoch, 4);
  EXPECT_EQ(split.begin, 0);
}

TEST(EpochSplitsTest, GoesOnWhereAnotherListStood) {
  const std::vector<Numbers> whole = List(Options(3), {6, 5}, 1);
  for (size_t taken = 0; taken <= whole.size(); ++taken) {
    EpochSplits splits(Options(3), Rows({6, 5}), 1);
    EpochSplit split;
    for (size_t i = 0; i < taken; ++i) ASSERT_TRUE(splits.Next(&split));
    EpochSplits other(Options(3), Rows({6, 5}), 0);
    ROWFEED_ASSERT_OK(other.Restore(splits.position()));
    EXPECT_EQ(Rest(&other), std::vector<Numbers>(whole.begin() + taken, whole.end()));
  }
}

TEST(EpochSplitsTest, RefusesPositionsOfDamagedCheckpoints) {
  EpochSplits splits(Options(), Rows({6, 5}), 2);
  for (const EpochSplits::Position& wrong : {EpochSplits::Position{-1, 0, 0},
                                             {0, -1, 0},
                                             {0, 0, -1},
                                             {kMax, 0, 0},
                                             {0, kMax, 0},
                                             {kMax, kMax, 0},
                                             {kMax / 2 + 1, kMax / 2 + 1, 0}}) {
    EXPECT_THAT(splits.Restore(wrong), StatusIs(StatusCode::kInvalid, "no place"));
  }
  EXPECT_EQ(splits.position().begin_epoch, 2);
  ROWFEED_ASSERT_OK(splits.Restore({2, 0, kMax}));  // More windows than there are.
  EXPECT_THAT(Rest(&splits), IsEmpty());
}

TEST(StreamOfSplitTest, ASplitIsALaneFromARowToARow) {
  StreamOptions options = Options(std::nullopt);
  options.delivery.remainder = Remainder::kDrop;
  ROWFEED_ASSERT_OK_AND_ASSIGN(const SplitStream stream,
                               StreamOfSplit({5, 1, 4, 6}, options, 11));
  EXPECT_EQ(stream.start, (Progress{5, 8, 6, 0}));
  EXPECT_EQ(stream.options.num_epochs, 1);
  EXPECT_EQ(stream.options.delivery.rank, 1);
  EXPECT_EQ(stream.options.delivery.world_size, 2);
  EXPECT_EQ(stream.options.delivery.end_row, 12);
  EXPECT_EQ(stream.options.delivery.remainder, Remainder::kUneven);
  EXPECT_EQ(stream.options.delivery.batch_size, 3);
  options.delivery.remainder = Remainder::kPad;
  ROWFEED_ASSERT_OK_AND_ASSIGN(const SplitStream padded,
                               StreamOfSplit({5, 1, 4, 4}, options, 11));
  EXPECT_EQ(padded.options.delivery.remainder, Remainder::kPad);
}

TEST(StreamOfSplitTest, DamagedSplitsAreRefused) {
  for (const Numbers& wrong :
       {Numbers{-1, 0, 0, 4}, Numbers{kMax, 0, 0, 4}, Numbers{0, -1, 0, 4},
        Numbers{0, 2, 0, 4}, Numbers{0, kMax, 0, 4}, Numbers{0, 0, -1, 4},
        Numbers{0, 0, 5, 4}, Numbers{0, 0, 0, -1}, Numbers{0, 0, 0, 7},
        Numbers{0, 0, 0, kMax}, Numbers{0, 0, kMax, kMax}}) {
    EXPECT_THAT(StreamOfSplit(EpochSplit::FromNumbers(wrong), Options(), 11),
                StatusIs(StatusCode::kInvalid, "not of this dataset"));
  }
  ROWFEED_EXPECT_OK(StreamOfSplit({0, 0, 0, 6}, Options(), 11));
  ROWFEED_EXPECT_OK(StreamOfSplit({0, 0, 0, 4}, Options(), kMax));
  EXPECT_THAT(StreamOfSplit({0, 0, 0, 1}, Options(), 0),
              StatusIs(StatusCode::kInvalid, "not of this dataset"));
}

TEST(StreamOfSplitTest, OnlyDropLeavesOutShortBatches) {
  DeliveryOptions delivery;
  delivery.batch_size = 3;
  EXPECT_TRUE(IsDeliveredFromSplit(2, delivery));
  delivery.remainder = Remainder::kPad;
  EXPECT_TRUE(IsDeliveredFromSplit(3, delivery));
  delivery.remainder = Remainder::kDrop;
  EXPECT_TRUE(IsDeliveredFromSplit(3, delivery));
  EXPECT_FALSE(IsDeliveredFromSplit(2, delivery));
}

class SplitStreamTest : public BatchStreamFixture {};

TEST_P(SplitStreamTest, SplitsDeliverEachRowOfTheirEpochOnce) {
  Write(303, 30);
  options_.order.num_lanes = 3;
  options_.delivery.batch_size = 7;
  EpochSplits splits(options_, EpochRows(catalog_->group_rows()), 2);
  std::vector<std::vector<int64_t>> batches;
  EpochSplit split;
  while (splits.Next(&split)) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const SplitStream window,
                                 StreamOfSplit(split, options_, catalog_->num_rows()));
    const auto stream = BatchStream::Make(cursor_, window.options);
    ROWFEED_ASSERT_OK(stream->Restore(window.start));
    const auto rows = ReadAll(stream.get());
    EXPECT_EQ(Sorted(rows).size(), split.end - split.begin);
    batches.insert(batches.end(), rows.begin(), rows.end());
  }
  EXPECT_EQ(Sorted(batches), Iota(303));
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, SplitStreamTest, ::testing::Values(1, 64));

}  // namespace
}  // namespace rowfeed
