// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/stream_plan.h"

#include <algorithm>
#include <utility>

#include "core/plan/random.h"

namespace rowfeed {
namespace {

// First word of the random key. It differs from those in epoch_plan.cc.
constexpr uint64_t kSourceKey = 3;

}  // namespace

StreamPlan::StreamPlan(std::shared_ptr<const EpochPlan> plan)
    : first_laps_{std::move(plan)} {}

StreamPlan::StreamPlan(std::vector<Source> sources, const std::vector<int64_t>& rounds,
                       StopRule stop, int64_t epoch)
    : sources_(std::move(sources)), epoch_(epoch) {
  std::vector<int64_t> source_rows;
  for (size_t source = 0; source < sources_.size(); ++source) {
    first_laps_.push_back(MakeLap(source, 0));
    source_rows.push_back(first_laps_.back()->num_rows());
  }
  mixture_.emplace(RoundTable(rounds), std::move(source_rows), num_lanes(), stop);
}

int64_t StreamPlan::WindowRows() const {
  int64_t least = num_rows();
  for (size_t source = 0; source < num_sources(); ++source) {
    const EpochPlan& plan = *first_laps_[source];
    std::vector<int64_t> rows;
    for (int64_t lane = 0; lane < num_lanes(); ++lane) {
      for (int64_t index = 0; index < plan.num_windows(lane); ++index) {
        rows.push_back(plan.window(lane, index).rows());
      }
    }
    if (rows.empty()) continue;
    const auto middle = rows.begin() + std::ssize(rows) / 2;
    std::nth_element(rows.begin(), middle, rows.end());
    // Rows of other sources come in between: divide by the source's share.
    const double share = static_cast<double>(RowsBefore(source, num_rows())) /
                         static_cast<double>(num_rows());
    least = static_cast<int64_t>(
        std::min(static_cast<double>(least), static_cast<double>(*middle) / share));
  }
  return least;
}

std::shared_ptr<const EpochPlan> StreamPlan::Lap(size_t source, int64_t lap) const {
  return lap == 0 ? first_laps_[source] : MakeLap(source, lap);
}

// Makes the plan of a source's lap, with a seed of its own: equal sources must not have
// the same order, and a source must not repeat its order within an epoch.
std::shared_ptr<const EpochPlan> StreamPlan::MakeLap(size_t source, int64_t lap) const {
  OrderOptions order = sources_[source].order;
  order.seed =
      Random({kSourceKey, order.seed, source, static_cast<uint64_t>(lap)}).Next();
  return std::make_shared<EpochPlan>(sources_[source].rows, order, epoch_);
}

}  // namespace rowfeed
