// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/restored_epochs.h"

#include <memory>

#include "gtest/gtest.h"

namespace rowfeed {
namespace {

TEST(RestoredEpochsTest, APipelineGoesOnWithTheHighestNumberOfItsStates) {
  const auto pipeline = std::make_shared<int>();
  RestoredEpochs restored;
  EXPECT_EQ(restored.Add(pipeline, 3), 3);
  EXPECT_EQ(restored.Add(pipeline, 7), 7);
  EXPECT_EQ(restored.Add(pipeline, 5), 7);
}

TEST(RestoredEpochsTest, AnotherPipelineMayGoOnEarlier) {
  const auto first = std::make_shared<int>();
  const auto second = std::make_shared<int>();
  RestoredEpochs restored;
  EXPECT_EQ(restored.Add(first, 7), 7);
  EXPECT_TRUE(restored.IsCurrent(first));
  EXPECT_FALSE(restored.IsCurrent(second));
  EXPECT_EQ(restored.Add(second, 2), 2);
  EXPECT_TRUE(restored.IsCurrent(second));
  EXPECT_EQ(restored.Add(first, 1), 1);
}

TEST(RestoredEpochsTest, APipelineThatIsGoneIsNotTakenForAnother) {
  RestoredEpochs restored;
  auto gone = std::make_shared<int>();
  EXPECT_EQ(restored.Add(gone, 9), 9);
  gone.reset();
  // The count of references of the first one is alive, so that no other has its
  // address.
  EXPECT_EQ(restored.Add(std::make_shared<int>(), 4), 4);
}

TEST(RestoredPlaceTest, ALaterEpochIsWholeAndTheSavedOneGoesOnAtItsRow) {
  const Progress saved{4, 30, 6, 1};
  EXPECT_EQ(RestoredPlace(saved, 4), saved);
  EXPECT_EQ(RestoredPlace(saved, 8), (Progress{8, 0, 9, 0}));
}

}  // namespace
}  // namespace rowfeed
