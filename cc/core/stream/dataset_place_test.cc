// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/dataset_place.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/stream/open_streams.h"
#include "testing/batch_stream_fixture.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;

class DatasetPlaceTest : public BatchStreamFixture {
 protected:
  // Delivers one batch of a new stream, which is the place's iteration from then on.
  std::shared_ptr<BatchStream> Begin(DatasetPlace* place) {
    std::shared_ptr<BatchStream> stream = Stream();
    place->Begin(stream);
    Batch batch;
    EXPECT_EQ(*stream->Next(kLong, &batch), BatchStream::Pull::kBatch);
    return stream;
  }
};

TEST_P(DatasetPlaceTest, StandsWhereTheIterationStandsThatBeganLast) {
  Write(100, 20);
  DatasetPlace place(cursor_);
  EXPECT_EQ(place.Latest(), cursor_->Peek());
  auto first = Begin(&place);
  EXPECT_EQ(place.Latest(), (Progress{0, 10, 1, 0}));
  auto second = Begin(&place);
  EXPECT_EQ(place.Latest(), (Progress{1, 10, 2, 0}));
  second.reset();
  EXPECT_EQ(place.Latest().epoch, 1) << "the iterator is gone, its place is not";
}

TEST_P(DatasetPlaceTest, MoveForgetsTheIterationAndMovesTheCursor) {
  Write(100, 20);
  DatasetPlace place(cursor_);
  auto stream = Begin(&place);
  const Progress third{3, 20, 4, 0};
  place.Move(third);
  EXPECT_EQ(place.Latest(), third);
  EXPECT_EQ(cursor_->Peek(), third);
}

TEST_P(DatasetPlaceTest, TheFirstRestoredIteratorOfAPipelineForgetsTheIteration) {
  Write(100, 20);
  DatasetPlace place(cursor_);
  auto before = Begin(&place);
  const auto pipeline = std::make_shared<int>();
  EXPECT_EQ(place.RestoredNextEpoch(pipeline, 5), 5);
  EXPECT_EQ(place.Latest(), cursor_->Peek());
  auto restored = Begin(&place);
  EXPECT_EQ(place.RestoredNextEpoch(pipeline, 2), 5);
  EXPECT_EQ(place.Latest(), restored->progress()) << "it is of the same pipeline";
}

TEST_P(DatasetPlaceTest, IsTakenOnceUnderTheNameUnderWhichItWasLeft) {
  Write(100, 20);
  const auto place = std::make_shared<DatasetPlace>(cursor_);
  LeavePlace("one", place);
  EXPECT_EQ(TakePlace("another"), nullptr);
  EXPECT_EQ(TakePlace("one"), place);
  EXPECT_EQ(TakePlace("one"), nullptr);
}

// No other test opens a stream with OpenStream: after this one none can.
TEST_P(DatasetPlaceTest, ClosedStreamsAreCancelledAndSoAreLaterOnes) {
  Write(100, 20);
  const auto open = OpenStream(cursor_, options_);
  auto gone = OpenStream(cursor_, options_);
  gone.reset();
  CloseStreams();
  Batch batch;
  EXPECT_THAT(open->Next(kLong, &batch), StatusIs(StatusCode::kCancelled, ""));
  const auto later = OpenStream(cursor_, options_);
  EXPECT_THAT(later->Next(kLong, &batch), StatusIs(StatusCode::kCancelled, ""));
}

INSTANTIATE_TEST_SUITE_P(BatchesPerArena, DatasetPlaceTest, ::testing::Values(1, 8));

}  // namespace
}  // namespace rowfeed
