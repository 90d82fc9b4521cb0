// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/delivery.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/plan/epoch_plan.h"
#include "core/plan/stream_plan.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

constexpr int64_t kMany = 1024;

EpochRows::Counts Counts(size_t size, int64_t count) {
  return std::make_shared<const std::vector<int64_t>>(size, count);
}

// Places of single rows in an arena, for one rank of `world_size`.
int64_t RowsInArena(const StreamPlan& plan, int64_t world_size = 1) {
  return Delivery(&plan, 0, {.batch_size = 1, .world_size = world_size}, kMany)
      .arena_rows();
}

StreamPlan PlanOf(EpochRows rows, const OrderOptions& order) {
  return StreamPlan(std::make_shared<EpochPlan>(std::move(rows), order, 0));
}

TEST(DeliveryTest, AnArenaWaitsForTheNextWindowOfOneLane) {
  const OrderOptions order{.shuffle = true, .shuffle_window = 100, .num_lanes = 8};
  const StreamPlan plan = PlanOf(Counts(10000, 10), order);
  EXPECT_EQ(RowsInArena(plan, 8), 100) << "of its one lane";
  EXPECT_EQ(RowsInArena(plan, 2), 100) << "of four lanes, in which windows end in turn";
  EXPECT_EQ(RowsInArena(plan, 3), 33) << "of all lanes, of every third row";
  EXPECT_EQ(RowsInArena(PlanOf(Counts(100, 1000), {})), 1000) << "a row group";
}

TEST(DeliveryTest, AnArenaWaitsForOneRowGroupThatTheFilterLeavesLittleOf) {
  EXPECT_EQ(RowsInArena(PlanOf({Counts(100, 1000), Counts(100, 3)}, {})), 3);
}

TEST(DeliveryTest, AnArenaWaitsForOneWindowOfTheSourceThatGivesMost) {
  const StreamPlan::Source source{Counts(100, 20), {}};
  const StreamPlan plan({source, source}, {1, 3}, StopRule::kFirstExhausted, 0);
  EXPECT_EQ(RowsInArena(plan), 20 * 4 / 3);
}

TEST(DeliveryTest, AnArenaDoesNotWaitForAThousandFilesBecauseOneIsLarge) {
  auto groups = std::vector<int64_t>(1000, 1);
  groups.push_back(1'000'000);
  const auto counts = std::make_shared<const std::vector<int64_t>>(std::move(groups));
  EXPECT_EQ(RowsInArena(PlanOf(counts, {})), 1);
}

TEST(DeliveryTest, ADataSetWithoutRowsHasNoArenas) {
  const StreamPlan plan = PlanOf(Counts(0, 0), {});
  EXPECT_EQ(Delivery(&plan, 0, {}, kMany).num_arenas(), 0);
}

}  // namespace
}  // namespace rowfeed
