// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/mix_streams.h"

#include <cstdint>
#include <utility>

#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

StreamOptions Source(int64_t batch_size, int64_t max_batches_per_arena) {
  StreamOptions options;
  options.delivery.batch_size = batch_size;
  options.max_batches_per_arena = max_batches_per_arena;
  return options;
}

TEST(MixStreamsTest, AnArenaHasAsFewBatchesAsThatOfAnySource) {
  for (const auto& [first, second] : {std::pair{5, 9}, {9, 5}, {5, 5}}) {
    MixtureOptions mixture;
    mixture.sources = {Source(2, first), Source(2, second), Source(2, 1024)};
    ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions mixed, MixStreams(mixture));
    EXPECT_EQ(mixed.max_batches_per_arena, 5);
    EXPECT_EQ(mixed.source(2).max_batches_per_arena, 1024);
  }
}

TEST(MixStreamsTest, TheRestIsAsInTheFirstSource) {
  MixtureOptions mixture;
  mixture.sources = {Source(7, 3), Source(8, 3)};
  mixture.stop = StopRule::kEndless;
  mixture.weights = {{0, {1, 2}}, {3, {2, 1}}};
  ROWFEED_ASSERT_OK_AND_ASSIGN(const StreamOptions mixed, MixStreams(mixture));
  EXPECT_EQ(mixed.delivery.batch_size, 7);
  EXPECT_EQ(mixed.max_batches_per_arena, 3);
  ASSERT_NE(mixed.mixture, nullptr);
  EXPECT_EQ(mixed.mixture->stop, StopRule::kEndless);
  EXPECT_EQ(mixed.mixture->sources.size(), 2U);
  EXPECT_EQ(mixed.mixture->RoundsIn(4)[0], 2);
}

TEST(MixStreamsTest, AMixtureOfNothingIsRefused) {
  EXPECT_THAT(MixStreams({}), StatusIs(StatusCode::kInvalid, "needs a source"));
}

}  // namespace
}  // namespace rowfeed
