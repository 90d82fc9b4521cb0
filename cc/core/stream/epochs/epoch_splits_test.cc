// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/epoch_splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::IsOk;
using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;

constexpr int64_t kLanes = 3;

StreamOptions Options(std::optional<int64_t> num_epochs) {
  StreamOptions options;
  options.order.shuffle = true;
  options.order.shuffle_window = 60;
  options.order.num_lanes = kLanes;
  options.num_epochs = num_epochs;
  return options;
}

EpochRows Rows(std::vector<int64_t> groups) {
  return std::make_shared<const std::vector<int64_t>>(std::move(groups));
}

EpochSplits OfTenGroups(std::optional<int64_t> num_epochs, int64_t first_epoch = 0) {
  return {Options(num_epochs), Rows(std::vector<int64_t>(10, 21)), first_epoch};
}

std::vector<EpochSplit> All(EpochSplits splits) {
  std::vector<EpochSplit> all;
  while (const auto split = splits.Next()) all.push_back(*split);
  return all;
}

TEST(EpochSplitsTest, EveryRowOfEveryLaneIsInOneSplitOfEachEpoch) {
  std::map<std::pair<int64_t, int64_t>, int64_t> ends;  // by epoch and lane
  int64_t num_rows = 0;
  for (const EpochSplit& split : All(OfTenGroups(2, 5))) {
    int64_t& end = ends[{split.epoch, split.lane}];
    EXPECT_EQ(split.begin, end);  // within a lane, splits come in order
    EXPECT_GT(split.end, split.begin);
    end = split.end;
    num_rows += split.end - split.begin;
  }
  EXPECT_EQ(num_rows, 2 * 210);
  EXPECT_EQ(ends.size(), 2 * kLanes);
  EXPECT_EQ(ends.begin()->first.first, 5);
  EXPECT_EQ(ends.rbegin()->first.first, 6);
}

TEST(EpochSplitsTest, SplitsComeInAboutTheOrderOfOneIteration) {
  int64_t begin = 0;
  for (const EpochSplit& split : All(OfTenGroups(1))) {
    EXPECT_GE(split.begin, begin);
    begin = split.begin;
  }
}

TEST(EpochSplitsTest, EndlessEpochsGoOnButEndWithoutRows) {
  EpochSplits endless = OfTenGroups(std::nullopt);
  std::optional<EpochSplit> last;
  for (int i = 0; i < 100; ++i) {
    last = endless.Next();
    ASSERT_TRUE(last.has_value());
  }
  EXPECT_GT(last->epoch, 2);
  EXPECT_THAT(All(EpochSplits(Options(std::nullopt), Rows({}), 0)), ElementsAre());
  EXPECT_THAT(All(EpochSplits(Options(std::nullopt), Rows({0, 0}), 0)), ElementsAre());
}

TEST(EpochSplitsTest, ResetGoesOnWithTheEpochAfterTheOneThatWasBegun) {
  EpochSplits splits = OfTenGroups(1);
  splits.Reset();  // nothing was begun
  EXPECT_EQ(splits.Next()->epoch, 0);
  splits.Reset();
  EXPECT_EQ(splits.Next()->epoch, 1);
  while (splits.Next()) continue;
  EXPECT_FALSE(splits.Next().has_value());
  splits.Reset();
  EXPECT_EQ(splits.Next()->epoch, 2);
}

TEST(EpochSplitsTest, APlaceGoesOnWithTheSameSplits) {
  const std::vector<EpochSplit> all = All(OfTenGroups(3));
  EpochSplits splits = OfTenGroups(3);
  for (const EpochSplit& split : all) {
    EpochSplits resumed = OfTenGroups(3);
    ASSERT_THAT(resumed.Move(splits.place()), IsOk());
    EXPECT_EQ(resumed.Next(), split);
    EXPECT_EQ(splits.Next(), split);
  }
  EpochSplits ended = OfTenGroups(3);
  ASSERT_THAT(ended.Move(splits.place()), IsOk());
  EXPECT_FALSE(ended.Next().has_value());
}

TEST(EpochSplitsTest, APlaceThatNoDataHasIsRefused) {
  EpochSplits splits = OfTenGroups(1);
  for (const EpochSplits::Place& place :
       {EpochSplits::Place{-1, 0, 0}, EpochSplits::Place{0, -1, 0},
        EpochSplits::Place{0, 0, -1}, EpochSplits::Place{INT64_MAX, 0, 0},
        EpochSplits::Place{0, INT64_MAX, 0}}) {
    EXPECT_THAT(splits.Move(place), StatusIs(StatusCode::kInvalid, "no place"));
  }
  // A window beyond the epoch's last one ends the epoch.
  ASSERT_THAT(splits.Move({0, 0, INT64_MAX}), IsOk());
  EXPECT_FALSE(splits.Next().has_value());
}

TEST(EpochSplitsTest, APinnedEpochHasTheSameSplitsAgain) {
  StreamOptions options = Options(2);
  options.pinned_epoch = 4;
  const std::vector<EpochSplit> all =
      All(EpochSplits(options, Rows({5, 40, 7, 30}), 0));
  ASSERT_EQ(all.size() % 2, 0);
  for (size_t i = 0; i < all.size() / 2; ++i) {
    EpochSplit later = all[i + all.size() / 2];
    EXPECT_EQ(later.epoch, 1);
    later.epoch = 0;
    EXPECT_EQ(later, all[i]);
  }
}

TEST(EpochSplitTest, ASplitOfOtherDataIsRefused) {
  EXPECT_THAT((EpochSplit{0, 2, 0, 70}.Validate(kLanes, 210)), IsOk());
  for (const EpochSplit& split :
       {EpochSplit{-1, 0, 0, 1}, EpochSplit{INT64_MAX, 0, 0, 1},
        EpochSplit{0, -1, 0, 1}, EpochSplit{0, kLanes, 0, 1}, EpochSplit{0, 0, -1, 1},
        EpochSplit{0, 0, 2, 1}, EpochSplit{0, 0, 0, 211}}) {
    EXPECT_THAT(split.Validate(kLanes, 210),
                StatusIs(StatusCode::kInvalid, "not of this dataset"));
  }
}

TEST(EpochSplitTest, AStreamOfASplitIsThatOfOneLane) {
  const EpochSplit split{7, 2, 20, 60};
  const StreamOptions options = split.OptionsOf(Options(std::nullopt));
  EXPECT_EQ(options.num_epochs, 1);
  EXPECT_EQ(options.delivery.rank, 2);
  EXPECT_EQ(options.delivery.world_size, kLanes);
  EXPECT_EQ(options.delivery.end_row, 60 * kLanes);
  const Progress begin = split.Begin(kLanes);
  EXPECT_EQ(begin.epoch, 7);
  EXPECT_EQ(begin.row, 20 * kLanes);
  EXPECT_EQ(begin.next_epoch, 8);
}

TEST(EpochSplitTest, OnlyPaddingStaysAsTheRemainder) {
  StreamOptions options = Options(1);
  for (const Remainder remainder : {Remainder::kDrop, Remainder::kUneven}) {
    options.delivery.remainder = remainder;
    EXPECT_EQ(EpochSplit{}.OptionsOf(options).delivery.remainder, Remainder::kUneven);
  }
  options.delivery.remainder = Remainder::kPad;
  EXPECT_EQ(EpochSplit{}.OptionsOf(options).delivery.remainder, Remainder::kPad);
}

}  // namespace
}  // namespace rowfeed
