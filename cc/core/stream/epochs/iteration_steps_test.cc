// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/iteration_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/stream/options/mixture_options.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

constexpr int64_t kMax = INT64_MAX;
using SourceCounts = std::vector<int64_t>;

// The streams of the tests deliver batches of 10 rows.
StreamOptions Options(std::optional<int64_t> num_epochs, Remainder remainder,
                      int64_t rank = 0, int64_t world_size = 1) {
  StreamOptions options;
  options.num_epochs = num_epochs;
  options.delivery = {10, rank, world_size, remainder};
  return options;
}

StreamOptions Mixed(StopRule stop, std::vector<MixtureOptions::Weights> weights) {
  StreamOptions options = Options(2, Remainder::kUneven);
  auto mixture = std::make_shared<MixtureOptions>();
  mixture->sources = {options, options};
  mixture->stop = stop;
  mixture->weights = std::move(weights);
  options.mixture = std::move(mixture);
  return options;
}

std::optional<int64_t> Count(const StreamOptions& options,
                             const SourceCounts& source_rows) {
  const NumSteps steps = StepsOfIteration(options, source_rows, 0);
  EXPECT_FALSE(steps.endless);
  return steps.count;
}

TEST(StepsOfIterationTest, TheShortLastBatchCountsUnlessItIsDropped) {
  EXPECT_EQ(Count(Options(3, Remainder::kUneven), {25}), 9);
  EXPECT_EQ(Count(Options(3, Remainder::kPad), {25}), 9);
  EXPECT_EQ(Count(Options(3, Remainder::kDrop), {25}), 6);
}

TEST(StepsOfIterationTest, RanksShareTheRows) {
  // 41 rows are two global batches, and one row more, which is that of rank 0.
  EXPECT_EQ(Count(Options(1, Remainder::kUneven, 0, 2), {41}), 3);
  EXPECT_EQ(Count(Options(1, Remainder::kUneven, 1, 2), {41}), 2);
  EXPECT_EQ(Count(Options(1, Remainder::kPad, 1, 2), {41}), 3);
  EXPECT_EQ(Count(Options(1, Remainder::kDrop, 1, 2), {41}), 2);
}

TEST(StepsOfIterationTest, WithoutBatchesEvenEndlessEpochsEnd) {
  EXPECT_EQ(Count(Options(std::nullopt, Remainder::kUneven), {0}), 0);
  EXPECT_EQ(Count(Options(std::nullopt, Remainder::kDrop), {9}), 0);
  const NumSteps steps =
      StepsOfIteration(Options(std::nullopt, Remainder::kUneven), {1}, 0);
  EXPECT_TRUE(steps.endless);
  EXPECT_EQ(steps.count, std::nullopt);
}

TEST(StepsOfIterationTest, ANumberThatNoIntegerHoldsIsNotKnown) {
  EXPECT_EQ(Count(Options(kMax, Remainder::kUneven), {10}), kMax);
  EXPECT_EQ(Count(Options(kMax / 2, Remainder::kUneven), {20}), kMax - 1);
  EXPECT_EQ(Count(Options(kMax / 2 + 1, Remainder::kUneven), {20}), std::nullopt);
}

TEST(StepsOfIterationTest, AMixtureHasNumberedStepsIfItsWeightsNeverChangeThem) {
  using Stop = StopRule;
  EXPECT_EQ(Count(Mixed(Stop::kFirstExhausted, {{0, {1, 1}}}), {50, 50}), 20);
  EXPECT_EQ(Count(Mixed(Stop::kFirstExhausted, {{0, {1, 1}}, {5, {1, 1}}}), {50, 50}),
            20);
  EXPECT_EQ(Count(Mixed(Stop::kFirstExhausted, {{0, {1, 1}}, {5, {1, 4}}}), {50, 50}),
            std::nullopt);
  EXPECT_EQ(Count(Mixed(Stop::kFirstExhausted, {{0, {1, 1}}}), {50, 0}), std::nullopt);
  EXPECT_TRUE(
      StepsOfIteration(Mixed(Stop::kEndless, {{0, {1, 1}}}), {50, 50}, 0).endless);
}

TEST(PlaceOfStepTest, StepsGoOnFromEpochToEpoch) {
  const StreamOptions options = Options(3, Remainder::kUneven);
  const std::vector<std::pair<int64_t, Progress>> places = {
      {0, {4, 0, 5, 0}},  {1, {4, 10, 5, 0}}, {2, {4, 20, 5, 0}},    {3, {5, 0, 6, 1}},
      {8, {6, 20, 7, 2}}, {9, {7, 0, 8, 3}},  {31, {14, 10, 15, 10}}};
  for (const auto& [step, place] : places) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(const Progress found,
                                 PlaceOfStep(options, SourceCounts{25}, 4, step));
    EXPECT_EQ(found, place) << step;
  }
}

TEST(PlaceOfStepTest, DroppedRowsBelongToNoStep) {
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      const Progress place,
      PlaceOfStep(Options(2, Remainder::kDrop), SourceCounts{25}, 0, 2));
  EXPECT_EQ(place, (Progress{1, 0, 2, 1}));
}

TEST(PlaceOfStepTest, APlaceIsTheSameForAllRanks) {
  for (const int64_t rank : {0, 1, 2}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(
        const Progress place,
        PlaceOfStep(Options(2, Remainder::kPad, rank, 3), SourceCounts{100}, 0, 5));
    EXPECT_EQ(place, (Progress{1, 30, 2, 1})) << rank;
  }
}

TEST(PlaceOfStepTest, APinnedEpochDoesNotChangeTheNumbersOfEpochs) {
  StreamOptions options = Options(3, Remainder::kUneven);
  options.pinned_epoch = 1;
  ROWFEED_ASSERT_OK_AND_ASSIGN(const Progress place,
                               PlaceOfStep(options, SourceCounts{25}, 0, 7));
  EXPECT_EQ(place, (Progress{2, 10, 3, 2}));
}

TEST(PlaceOfStepTest, StepsThatDoNotExistAreRefused) {
  const StreamOptions options = Options(1, Remainder::kUneven);
  EXPECT_THAT(PlaceOfStep(options, SourceCounts{0}, 0, 0),
              StatusIs(StatusCode::kInvalid, "no step 0"));
  EXPECT_THAT(PlaceOfStep(options, SourceCounts{25}, 0, -1),
              StatusIs(StatusCode::kInvalid, "no step -1"));
  EXPECT_THAT(PlaceOfStep(Mixed(StopRule::kFirstExhausted, {{0, {1, 1}}}),
                          SourceCounts{5, 0}, 0, 0),
              StatusIs(StatusCode::kInvalid, "source 1 has no rows"));
}

}  // namespace
}  // namespace rowfeed
