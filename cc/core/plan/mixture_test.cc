// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/mixture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/plan/delivery.h"
#include "core/plan/stream_plan.h"

namespace rowfeed {
namespace {

using Rows = std::vector<int64_t>;

const std::vector<Rows> kRounds = {
    {1},        {1, 1},          {7, 3},   {1, 1, 1},      {5, 1, 1},
    {97, 2, 1}, {8, 4, 2, 1, 1}, {1, 999}, {31, 31, 31, 7}};

TEST(RoundTableTest, FirstRoundsArePinned) {
  const RoundTable table({4, 2, 1});
  Rows sources;
  for (int64_t round = 0; round < 8; ++round) sources.push_back(table.SourceOf(round));
  EXPECT_EQ(sources, (Rows{0, 0, 1, 0, 1, 0, 2, 0}));
}

TEST(RoundTableTest, EverySourceIsWithinOneRoundOfItsShareAtAnyRound) {
  for (const Rows& rounds : kRounds) {
    const RoundTable table(rounds);
    for (int64_t round = 0; round <= 2 * table.period(); ++round) {
      for (size_t source = 0; source < rounds.size(); ++source) {
        const double share = static_cast<double>(round * rounds[source]) /
                             static_cast<double>(table.period());
        EXPECT_LT(std::abs(table.RoundsBefore(source, round) - share), 1);
      }
    }
  }
}

TEST(RoundTableTest, RoundOfIsTheInverseOfRoundsBefore) {
  for (const Rows& rounds : kRounds) {
    const RoundTable table(rounds);
    Rows had(rounds.size(), 0);
    for (int64_t round = 0; round < 3 * table.period(); ++round) {
      const size_t source = table.SourceOf(round);
      for (size_t i = 0; i < rounds.size(); ++i) {
        EXPECT_EQ(table.RoundsBefore(i, round), had[i]);
      }
      EXPECT_EQ(table.RoundOf(source, had[source]), round);
      ++had[source];
    }
  }
}

TEST(RoundTableTest, RefusesWhatIsNoPeriod) {
  EXPECT_FALSE(RoundTable::Validate({}).ok());
  EXPECT_FALSE(RoundTable::Validate({1, 0}).ok());
  EXPECT_FALSE(RoundTable::Validate({1, -1}).ok());
  EXPECT_FALSE(RoundTable::Validate({RoundTable::kMaxPeriod, 1}).ok());
  EXPECT_TRUE(RoundTable::Validate({RoundTable::kMaxPeriod - 1, 1}).ok());
}

TEST(MixtureTest, RowsOfTheEpochByTheStopRule) {
  const auto rows = [](const Rows& rounds, Rows sources, int64_t lanes, StopRule stop) {
    return Mixture(RoundTable(rounds), std::move(sources), lanes, stop).num_rows();
  };
  // Equal sources that fill their rounds give all of their rows, whatever the rule.
  EXPECT_EQ(rows({1, 1}, {8, 8}, 4, StopRule::kFirstExhausted), 16);
  EXPECT_EQ(rows({1, 1}, {8, 8}, 4, StopRule::kAllExhausted), 16);
  // The stream's rows are of sources 0 0 0 0 1 1 1 1 0 | 0: source 0 has only five
  // rows.
  EXPECT_EQ(rows({1, 1}, {5, 9}, 4, StopRule::kFirstExhausted), 9);
  // Source 1's ninth row is the first of round 5.
  EXPECT_EQ(rows({1, 1}, {5, 9}, 4, StopRule::kAllExhausted), 21);
  EXPECT_EQ(rows({1}, {10}, 4, StopRule::kFirstExhausted), 10);
  EXPECT_EQ(rows({1}, {10}, 4, StopRule::kAllExhausted), 10);
  EXPECT_EQ(rows({1, 1}, {5, 9}, 4, StopRule::kEndless), Mixture::kEndlessRows);
}

// A row of a source's own stream: the source and the row.
using Row = std::pair<size_t, int64_t>;

StreamPlan Plan(const std::vector<Rows>& groups, const Rows& rounds, int64_t lanes,
                StopRule stop) {
  std::vector<StreamPlan::Source> sources;
  for (const Rows& rows : groups) {
    OrderOptions order;
    order.shuffle = true;
    order.shuffle_window = 8;
    order.num_lanes = lanes;
    sources.push_back({std::make_shared<const Rows>(rows), order});
  }
  return {std::move(sources), rounds, stop, /*epoch=*/1};
}

std::vector<std::vector<Row>> Deliver(const StreamPlan& plan, int64_t start,
                                      const DeliveryOptions& options) {
  const Delivery delivery(&plan, start, options);
  std::vector<std::vector<Row>> batches(delivery.num_batches());
  for (int64_t k = 0; k < delivery.num_batches(); ++k) {
    batches[k].assign(delivery.ArenaRows(k), {0, -1});
  }
  int64_t previous = -1;
  for (WindowSchedule schedule(&delivery); !schedule.done(); schedule.Pop()) {
    const WindowVisit& visit = schedule.next();
    EXPECT_GE(visit.first_row, previous);
    previous = visit.first_row;
    std::vector<Place> places;
    for (const Run& run : delivery.Runs(visit, &places)) {
      EXPECT_GT(run.count, 0);
      for (int64_t i = run.begin; i < run.begin + run.count; ++i) {
        const int64_t lane_row = visit.window.begin + places[i].position;
        batches[run.arena][places[i].slot] = {
            visit.source, visit.source_lap * plan.source_rows(visit.source) +
                              lane_row * plan.num_lanes() + visit.window.lane};
      }
    }
  }
  return batches;
}

// The rule for mixtures, applied row by row.
std::vector<std::vector<Row>> Expected(const StreamPlan& plan, int64_t start,
                                       const DeliveryOptions& o) {
  const RoundTable& table = plan.mixture()->table();
  const int64_t lanes = plan.num_lanes();
  Rows had(plan.num_sources(), 0);
  std::vector<Row> stream;
  for (int64_t row = 0; row < plan.num_rows(); ++row) {
    const size_t source = table.SourceOf(row / lanes);
    stream.emplace_back(source, had[source]++);
  }
  const int64_t n = plan.num_rows();
  std::vector<std::vector<Row>> batches(BatchesPerEpoch(n, start, o));
  for (size_t k = 0; k < batches.size(); ++k) {
    const int64_t begin = start + static_cast<int64_t>(k) * o.global_batch();
    for (int64_t g = begin; g < begin + o.global_batch(); ++g) {
      if (g % o.world_size != o.rank) continue;
      if (g < n) {
        batches[k].push_back(stream[g]);
      } else if (o.remainder == Remainder::kPad) {
        batches[k].emplace_back(0, -1);
      } else if (o.remainder == Remainder::kWrap) {
        batches[k].push_back(stream[g % n]);
      }
    }
  }
  return batches;
}

TEST(MixtureDeliveryTest, EqualsTheRuleOnAGrid) {
  const std::vector<Rows> groups = {{9, 5, 7}, {4, 2}, {13, 1}};
  for (const Rows& rounds : {Rows{1, 1, 1}, Rows{5, 1, 2}}) {
    for (const StopRule stop : {StopRule::kFirstExhausted, StopRule::kAllExhausted}) {
      for (const int64_t lanes : {1, 2, 3, 8}) {
        const StreamPlan plan = Plan(groups, rounds, lanes, stop);
        for (const int64_t world : {1, 2, 3, 4, 8}) {
          for (const Remainder remainder : {Remainder::kDrop, Remainder::kPad,
                                            Remainder::kWrap, Remainder::kUneven}) {
            for (int64_t rank = 0; rank < world; ++rank) {
              for (const int64_t start : {int64_t{0}, plan.num_rows() / 3}) {
                const DeliveryOptions o{3, rank, world, remainder};
                ASSERT_EQ(Deliver(plan, start, o), Expected(plan, start, o))
                    << "lanes " << lanes << " world " << world << " rank " << rank
                    << " start " << start << " remainder "
                    << static_cast<int>(remainder);
              }
            }
          }
        }
      }
    }
  }
}

// With one lane and two ranks, rank 0 gets all rows of source 0 and rank 1 all rows of
// source 1.
TEST(MixtureDeliveryTest, EndsWhereARankNeverHasARowOfASource) {
  for (const StopRule stop : {StopRule::kAllExhausted, StopRule::kEndless}) {
    const StreamPlan plan = Plan({{20}, {20}}, {1, 1}, 1, stop);
    for (const int64_t rank : {0, 1}) {
      DeliveryOptions options{4, rank, 2, Remainder::kUneven};
      options.end_row = 1000;
      const auto batches = Deliver(plan, 0, options);
      EXPECT_EQ(batches.size(), stop == StopRule::kEndless ? 125 : 5);
      for (const auto& batch : batches) {
        for (const Row& row : batch) EXPECT_EQ(row.first, static_cast<size_t>(rank));
      }
    }
  }
}

// A source has two rows, and a rank gets every third row of its stream: a lap of the
// source may have no row of the rank.
TEST(MixtureDeliveryTest, FindsARareRowLapsLater) {
  const StreamPlan plan = Plan({{2}, {40}}, {1, 3}, 1, StopRule::kEndless);
  for (const int64_t rank : {0, 1, 2}) {
    DeliveryOptions options{4, rank, 3, Remainder::kUneven};
    options.end_row = 240;
    int64_t num_rare = 0;
    for (const auto& batch : Deliver(plan, 0, options)) {
      for (const Row& row : batch) num_rare += row.first == 0 ? 1 : 0;
    }
    EXPECT_EQ(num_rare, 20) << rank;  // a third of the source's 60 rows
  }
}

TEST(MixtureDeliveryTest, BeginsAtOnceWhereARankNeverHasARowOfAnEndlessSource) {
  for (const Rows& rounds : {Rows{1, 1}, Rows{3, 1}}) {
    const StreamPlan plan = Plan({{20}, {20}}, rounds, 1, StopRule::kEndless);
    for (const int64_t rank : {0, 1}) {
      const Delivery delivery(&plan, 0, {4, rank, 2, Remainder::kUneven});
      EXPECT_FALSE(WindowSchedule(&delivery).done());
    }
  }
}

TEST(StreamPlanTest, EqualSourcesAndLapsHaveOrdersOfTheirOwn) {
  const StreamPlan plan =
      Plan({Rows(8, 8), Rows(8, 8)}, {1, 1}, 1, StopRule::kAllExhausted);
  std::set<std::vector<uint32_t>> orders;
  for (const size_t source : {0, 1}) {
    for (const int64_t lap : {0, 1, 2}) {
      const auto own = plan.Lap(source, lap);
      std::vector<uint32_t> order;
      for (const Piece& piece : own->Pieces(own->window(0, 0))) {
        order.push_back(static_cast<uint32_t>(piece.row_group));
      }
      for (const uint32_t row : own->Permutation(own->window(0, 0))) {
        order.push_back(row);
      }
      orders.insert(order);
    }
  }
  EXPECT_EQ(orders.size(), 6);
}

}  // namespace
}  // namespace rowfeed
