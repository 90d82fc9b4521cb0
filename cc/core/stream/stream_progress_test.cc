// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests where a stream stands, and how it continues from there.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/stream/batch_stream.h"
#include "testing/batch_stream_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

class StreamProgressTest : public BatchStreamFixture {};

TEST_P(StreamProgressTest, IterationsAreEpochsAndRepeatIsNumEpochs) {
  Write(300, 30);
  std::vector<std::vector<int64_t>> one_by_one;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (auto& batch : ReadAll(Stream().get())) one_by_one.push_back(batch);
  }
  options_.num_epochs = 3;
  MakeCursor();
  EXPECT_EQ(ReadAll(Stream().get()), one_by_one);
  const size_t steps = one_by_one.size() / 3;
  EXPECT_NE(one_by_one[0], one_by_one[steps]);
}

TEST_P(StreamProgressTest, PinnedEpochsAreEqual) {
  Write(300, 30);
  options_.pinned_epoch = 0;
  options_.num_epochs = 2;
  const auto batches = ReadAll(Stream().get());
  ASSERT_EQ(batches.size(), 60);
  EXPECT_TRUE(std::equal(batches.begin(), batches.begin() + 30, batches.begin() + 30));
}

TEST_P(StreamProgressTest, ResumesAtEveryBatchExactly) {
  Write(200, 20);
  options_.num_epochs = 2;
  options_.order.num_lanes = 2;
  const auto whole = ReadAll(Stream().get());
  ASSERT_EQ(whole.size(), 40);
  for (size_t stop = 0; stop <= whole.size(); ++stop) {
    MakeCursor();
    auto stream = Stream();
    Batch batch;
    for (size_t i = 0; i < stop; ++i)
      ASSERT_EQ(*stream->Next(kLong, &batch), BatchStream::Pull::kBatch);
    const Progress progress = stream->progress();
    stream.reset();
    MakeCursor();
    auto resumed = Stream();
    ROWFEED_ASSERT_OK(resumed->Restore(progress));
    EXPECT_EQ(resumed->progress(), progress);
    auto rest = ReadAll(resumed.get());
    EXPECT_EQ(rest, std::vector(whole.begin() + stop, whole.end())) << stop;
    // A stream that was read to its end can be restored as well.
    ROWFEED_ASSERT_OK(resumed->Restore(progress));
    EXPECT_EQ(ReadAll(resumed.get()), rest);
  }
}

TEST_P(StreamProgressTest, OtherThreadsNeverSeeAnEpochLeftOut) {
  Write(20, 10);
  options_.num_epochs = 2000;
  const auto stream = Stream();
  std::atomic<int64_t> num_asked = 0;
  std::atomic<int64_t> num_wrong = 0;
  std::jthread other([&](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      const Progress progress = stream->progress();
      ++num_asked;
      if (progress.next_epoch != progress.epoch + 1) ++num_wrong;
    }
  });
  EXPECT_EQ(ReadAll(stream.get()).size(), 4000);
  EXPECT_GT(num_asked, 0);
  EXPECT_EQ(num_wrong, 0);
}

TEST_P(StreamProgressTest, RefusesPlacesThatDoNotExist) {
  Write(100, 10);
  const auto stream = Stream();
  const Progress start = stream->progress();
  for (const Progress& wrong :
       {Progress{-1, 0, 1, 0}, Progress{0, -1, 1, 0}, Progress{0, 101, 1, 0},
        Progress{INT64_MAX, 0, 1, 0}, Progress{0, 0, INT64_MAX, 0},
        Progress{0, 0, 1, INT64_MAX}, Progress{0, 0, 1, -1}}) {
    EXPECT_THAT(stream->Restore(wrong), StatusIs(StatusCode::kInvalid, "no place in"));
  }
  EXPECT_EQ(stream->progress(), start);
}

TEST_P(StreamProgressTest, ProgressIsWhatWasDelivered) {
  Write(100, 10);
  auto stream = Stream();
  EXPECT_EQ(stream->progress(), (Progress{0, 0, 1, 0}));
  Batch batch;
  ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
  EXPECT_EQ(stream->progress(), (Progress{0, 10, 1, 0}));
  ReadAll(stream.get());
  EXPECT_EQ(stream->progress(), (Progress{1, 0, 2, 0}));
}

TEST_P(StreamProgressTest, APlaceToGoOnFromIsBeforeTheEpochsThatOthersTakeMeanwhile) {
  Write(100, 10);
  auto restored = Stream();
  auto other = Stream();
  ROWFEED_ASSERT_OK(restored->Restore({0, 50, 5, 0}));
  Batch batch;
  ROWFEED_ASSERT_OK(other->Next(kLong, &batch));
  EXPECT_EQ(other->progress().epoch, 5);
  EXPECT_EQ(restored->progress(), (Progress{0, 50, 6, 0}));
}

TEST_P(StreamProgressTest, StreamsThatAreNeverPulledClaimNoEpoch) {
  Write(100, 10);
  auto unused = Stream();
  auto first = Stream();
  auto second = Stream();
  Batch batch;
  ROWFEED_ASSERT_OK(second->Next(kLong, &batch));
  ROWFEED_ASSERT_OK(first->Next(kLong, &batch));
  EXPECT_EQ(second->progress().epoch, 0);
  EXPECT_EQ(first->progress().epoch, 1);
  EXPECT_EQ(unused->progress().epoch, 2);
}

TEST_P(StreamProgressTest, SkipEqualsReadingOn) {
  Write(500, 25);
  options_.num_epochs = 2;
  const auto whole = ReadAll(Stream().get());
  for (const int64_t skip : {1, 3, 17, 60}) {
    for (const int64_t before : {0, 1, 5}) {
      MakeCursor();
      auto stream = Stream();
      Batch batch;
      for (int64_t i = 0; i < before; ++i)
        ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
      EXPECT_EQ(*stream->Skip(skip), skip);
      const auto rest = ReadAll(stream.get());
      EXPECT_EQ(rest, std::vector(whole.begin() + before + skip, whole.end()));
    }
  }
  MakeCursor();
  EXPECT_EQ(*Stream()->Skip(1000), 100);
}

// The skipped batch begins in a window that is loaded, and ends in one that the budget
// has not admitted.
TEST_P(StreamProgressTest, SkipsABatchOfAWindowThatIsNotAdmitted) {
  Write(400, 9);  // Windows of 36 rows.
  options_.delivery.batch_size = 8;
  const auto whole = ReadAll(Stream().get());
  options_.memory_budget_bytes = 1;
  for (int64_t skip = 1; skip < 12; ++skip) {
    MakeCursor();
    const auto stream = Stream();
    Batch batch;
    ROWFEED_ASSERT_OK(stream->Next(kLong, &batch));
    EXPECT_EQ(*stream->Skip(skip), skip);
    EXPECT_EQ(ReadAll(stream.get()),
              std::vector(whole.begin() + 1 + skip, whole.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, StreamProgressTest,
                         ::testing::Values(1, 3, 64));

}  // namespace
}  // namespace rowfeed
