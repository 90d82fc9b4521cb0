// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/epoch_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "core/plan/delivery.h"
#include "core/plan/random.h"
#include "core/plan/stream_plan.h"

namespace rowfeed {
namespace {

using Rows = std::vector<int64_t>;

std::shared_ptr<const Rows> Groups(Rows rows) {
  return std::make_shared<const Rows>(std::move(rows));
}

// Returns the whole global stream as ids of rows, made by walking through the windows.
Rows Walk(const EpochPlan& plan, const Rows& group_rows) {
  Rows begins(group_rows.size() + 1, 0);
  std::partial_sum(group_rows.begin(), group_rows.end(), begins.begin() + 1);
  Rows stream(plan.num_rows(), -1);
  for (int64_t lane = 0; lane < plan.num_lanes(); ++lane) {
    for (int64_t i = 0; i < plan.num_windows(lane); ++i) {
      const Window window = plan.window(lane, i);
      Rows source;
      for (const Piece& piece : plan.Pieces(window)) {
        for (int64_t row = piece.begin; row < piece.end; ++row) {
          source.push_back(begins[piece.row_group] + row);
        }
      }
      const std::vector<uint32_t> permutation = plan.Permutation(window);
      EXPECT_EQ(permutation.size(), source.size());
      for (int64_t t = 0; t < window.rows(); ++t) {
        stream[(window.begin + t) * plan.num_lanes() + lane] = source[permutation[t]];
      }
    }
  }
  return stream;
}

OrderOptions Shuffled(int64_t window, int64_t lanes, int64_t block_rows = 0) {
  OrderOptions options;
  options.shuffle = true;
  options.seed = 7;
  options.shuffle_window = window;
  options.num_lanes = lanes;
  options.block_rows = block_rows;
  return options;
}

TEST(RandomTest, FirstValuesArePinned) {
  Random random({1, 0, 0});
  EXPECT_EQ(random.Next(), 3004425287414705260U);
  EXPECT_EQ(random.Next(), 3827050032468059990U);
}

TEST(EpochPlanTest, EveryRowComesOnceAtAwkwardSizes) {
  for (const Rows& groups : {Rows{}, Rows{0}, Rows{1}, Rows{0, 1, 0, 2}, Rows{7, 8, 9},
                             Rows{63, 64, 65, 1}, Rows(40, 13), Rows{1000, 1, 1, 1}}) {
    for (const int64_t lanes : {1, 2, 3, 8, 100}) {
      for (const int64_t block_rows : {0, 1, 5}) {
        const EpochPlan plan(Groups(groups), Shuffled(20, lanes, block_rows), 0);
        Rows stream = Walk(plan, groups);
        std::sort(stream.begin(), stream.end());
        Rows all(plan.num_rows());
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(stream, all);
      }
    }
  }
}

TEST(EpochPlanTest, UnshuffledIsCatalogOrder) {
  OrderOptions options;
  const Rows groups{3, 0, 5, 2};
  Rows all(10);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(Walk(EpochPlan(Groups(groups), options, 3), groups), all);
}

TEST(EpochPlanTest, EpochsAndSeedsDiffer) {
  const Rows groups(10, 10);
  OrderOptions options = Shuffled(40, 1);
  std::set<Rows> orders;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    options.seed = seed;
    for (int64_t epoch = 0; epoch < 4; ++epoch) {
      orders.insert(Walk(EpochPlan(Groups(groups), options, epoch), groups));
    }
  }
  EXPECT_EQ(orders.size(), 16);
}

TEST(EpochPlanTest, WindowAtFindsTheWindowOfEveryRow) {
  const EpochPlan plan(Groups(Rows(17, 10)), Shuffled(30, 3), 0);
  for (int64_t lane = 0; lane < 3; ++lane) {
    for (int64_t row = 0; row < plan.lane_rows(lane); ++row) {
      const Window window = plan.WindowAt(lane, row);
      EXPECT_LE(window.begin, row);
      EXPECT_LT(row, window.end);
    }
  }
}

// Maps (batch of the rank, slot) to the row of the global stream, by walking through
// the schedule.
std::vector<Rows> Deliver(const EpochPlan& plan, int64_t start,
                          const DeliveryOptions& options) {
  const StreamPlan stream(std::make_shared<EpochPlan>(plan));
  const Delivery delivery(&stream, start, options);
  std::vector<Place> places;
  std::vector<Rows> batches(delivery.num_batches());
  for (int64_t k = 0; k < delivery.num_batches(); ++k) {
    batches[k].assign(delivery.ArenaRows(k), -1);
  }
  int64_t previous = -1;
  for (WindowSchedule schedule(&delivery); !schedule.done(); schedule.Pop()) {
    const WindowVisit& visit = schedule.next();
    EXPECT_GE(visit.first_row, previous);
    previous = visit.first_row;
    for (const Run& run : delivery.Runs(visit, &places)) {
      for (int64_t i = 0; i < run.count; ++i) {
        const int64_t t = run.begin + i * run.step;
        batches[run.arena][run.slot_begin + i * run.slot_step] =
            (visit.window.begin + t) * plan.num_lanes() + visit.window.lane;
      }
    }
  }
  EXPECT_TRUE(places.empty());
  return batches;
}

// The reference: makes a rank's batches by looking at each row of the global stream.
// Row g belongs to rank g % world_size.
std::vector<Rows> Expected(int64_t n, int64_t start, const DeliveryOptions& o) {
  const int64_t global = o.global_batch();
  const bool down = o.remainder == Remainder::kDrop;
  const int64_t steps = down ? (n - start) / global : (n - start + global - 1) / global;
  std::vector<Rows> batches;
  for (int64_t k = 0; k < steps; ++k) {
    Rows batch;
    for (int64_t g = start + k * global; g < start + (k + 1) * global; ++g) {
      if (g % o.world_size != o.rank) continue;
      if (g < n) {
        batch.push_back(g);
      } else if (o.remainder == Remainder::kPad) {
        batch.push_back(-1);
      } else if (o.remainder == Remainder::kWrap) {
        batch.push_back(g % n);
      }
    }
    if (!batch.empty()) batches.push_back(batch);
  }
  return batches;
}

TEST(DeliveryTest, EqualsTheRuleOnAGrid) {
  for (const Rows& groups :
       {Rows{}, Rows{1}, Rows{5, 9}, Rows(9, 7), Rows{64, 1, 65}}) {
    for (const int64_t lanes : {1, 2, 3, 8}) {
      const EpochPlan plan(Groups(groups), Shuffled(16, lanes), 1);
      for (const int64_t world : {1, 2, 3, 4, 6, 8}) {
        for (const int64_t batch : {1, 4, 10}) {
          for (const Remainder remainder : {Remainder::kDrop, Remainder::kPad,
                                            Remainder::kWrap, Remainder::kUneven}) {
            for (int64_t rank = 0; rank < world; ++rank) {
              for (const int64_t start :
                   {int64_t{0}, plan.num_rows() / 3, plan.num_rows()}) {
                const DeliveryOptions o{batch, rank, world, remainder};
                ASSERT_EQ(Deliver(plan, start, o), Expected(plan.num_rows(), start, o))
                    << "lanes " << lanes << " world " << world << " batch " << batch
                    << " rank " << rank << " start " << start << " remainder "
                    << static_cast<int>(remainder) << " rows " << plan.num_rows();
              }
            }
          }
        }
      }
    }
  }
}

TEST(DeliveryTest, EndsAtEndRow) {
  const EpochPlan plan(Groups(Rows(9, 7)), Shuffled(16, 3), 1);
  for (const int64_t world : {1, 3, 4}) {
    for (const Remainder remainder :
         {Remainder::kDrop, Remainder::kPad, Remainder::kUneven}) {
      for (int64_t rank = 0; rank < world; ++rank) {
        for (const int64_t start : {0, 21, 40}) {
          for (const int64_t end : {0, 21, 22, 39, 60, 62, 63, 64, 1000}) {
            const DeliveryOptions o{4, rank, world, remainder, end};
            const int64_t rows = std::max(start, std::min(plan.num_rows(), end));
            ASSERT_EQ(Deliver(plan, start, o), Expected(rows, start, o))
                << "world " << world << " rank " << rank << " start " << start
                << " end " << end << " remainder " << static_cast<int>(remainder);
          }
        }
      }
    }
  }
}

TEST(DeliveryTest, PositionAfterTheLastBatchIsTheEnd) {
  const StreamPlan plan(std::make_shared<EpochPlan>(Groups({10}), OrderOptions(), 0));
  const Delivery delivery(&plan, 0, {4, 0, 1, Remainder::kDrop});
  EXPECT_EQ(delivery.num_batches(), 2);
  EXPECT_EQ(delivery.PositionAfter(0), 4);
  EXPECT_EQ(delivery.PositionAfter(1), 10);
}

}  // namespace
}  // namespace rowfeed
