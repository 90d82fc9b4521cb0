// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/delivery.h"

#include <algorithm>
#include <numeric>

#include "core/ceil_div.h"

namespace rowfeed {
namespace {

// Returns a mod b in [0, b), also for negative a.
int64_t FloorMod(int64_t a, int64_t b) { return ((a % b) + b) % b; }

// Returns how many of the numbers first, first + step, ... are below `end`.
int64_t CountBelow(int64_t first, int64_t step, int64_t end) {
  return first < end ? CeilDiv(end - first, step) : 0;
}

// Returns the first row of options.rank at or after `row`.
int64_t FirstRowOfRank(int64_t row, const DeliveryOptions& options) {
  return row + FloorMod(options.rank - row, options.world_size);
}

// Returns the number of batches per arena: so few that about one lane begins its next
// window within an arena. The rank has one in `stride` of the lanes.
int64_t BatchesPerArena(const StreamPlan& plan, const DeliveryOptions& options,
                        int64_t max) {
  const int64_t stride = std::gcd(plan.num_lanes(), options.world_size);
  return std::clamp<int64_t>(plan.WindowRows() / (options.global_batch() / stride), 1,
                             max);
}

}  // namespace

Status DeliveryOptions::Validate() const {
  ROWFEED_RETURN_NOT_OK(CheckFields(*this));
  if (rank >= world_size) {
    return Status::Invalid("rank must be in [0, world_size = ", world_size, "), not ",
                           rank);
  }
  return {};
}

int64_t BatchesPerEpoch(int64_t num_rows, int64_t start_row,
                        const DeliveryOptions& options) {
  num_rows = std::max(std::min(num_rows, options.end_row), start_row);
  const int64_t full = (num_rows - start_row) / options.global_batch();
  // The row at which the last, short batch begins.
  const int64_t rest = start_row + full * options.global_batch();
  switch (options.remainder) {
    case Remainder::kDrop:
      return full;
    case Remainder::kPad:
    case Remainder::kWrap:
      return rest < num_rows ? full + 1 : full;
    case Remainder::kUneven:
      // A rank without a row in the short last batch ends one step earlier.
      return FirstRowOfRank(rest, options) < num_rows ? full + 1 : full;
  }
  return 0;
}

int64_t RowOfStep(int64_t num_rows, int64_t start_row, int64_t step,
                  const DeliveryOptions& options) {
  if (options.remainder == Remainder::kDrop &&
      step >= BatchesPerEpoch(num_rows, start_row, options)) {
    return num_rows;
  }
  return std::min(num_rows, start_row + step * options.global_batch());
}

Delivery::Delivery(const StreamPlan* plan, int64_t start_row,
                   const DeliveryOptions& options, int64_t max_per_arena)
    : plan_(plan),
      start_row_(start_row),
      options_(options),
      batches_per_arena_(
          max_per_arena == 1 ? 1 : BatchesPerArena(*plan, options, max_per_arena)),
      num_batches_(BatchesPerEpoch(plan->num_rows(), start_row, options)) {
  const bool whole =
      options.remainder == Remainder::kDrop || options.remainder == Remainder::kWrap;
  end_row_ = whole ? start_row + num_batches_ * options.global_batch()
                   : std::min(plan->num_rows(), options.end_row);
}

int64_t Delivery::FirstOwnRow(int64_t row) const {
  return FirstRowOfRank(row, options_);
}

int64_t Delivery::num_arenas() const {
  return CeilDiv(num_batches_, batches_per_arena_);
}

int64_t Delivery::BatchesIn(int64_t arena) const {
  return std::min(batches_per_arena_, num_batches_ - arena * batches_per_arena_);
}

int64_t Delivery::ValidRows(int64_t arena) const {
  const int64_t begin = ArenaEnd(arena - 1);
  const int64_t end = std::min(ArenaEnd(arena), end_row_);
  return CountBelow(FirstOwnRow(begin), options_.world_size, end);
}

int64_t Delivery::ArenaRows(int64_t arena) const {
  return options_.remainder == Remainder::kPad ? BatchesIn(arena) * options_.batch_size
                                               : ValidRows(arena);
}

int64_t Delivery::PositionAfter(int64_t batch) const {
  return RowOfStep(plan_->num_rows(), start_row_, batch + 1, options_);
}

std::vector<Run> Delivery::Runs(const WindowVisit& visit,
                                std::vector<Place>* places) const {
  if (plan_->mixture() != nullptr) return MixtureRuns(visit, places);
  const int64_t lanes = plan_->num_lanes();
  const int64_t world = options_.world_size;
  const int64_t lane_step = world / std::gcd(world, lanes);
  // This is the least common multiple of world and lanes.
  const int64_t row_step = lane_step * lanes;
  const int64_t base = visit.lap * plan_->num_rows() + visit.window.lane;
  const int64_t end_row = std::min(end_row_, base + visit.window.end * lanes);
  std::vector<Run> runs;
  for (int64_t row = visit.first_row; row < end_row;) {
    const int64_t arena = (row - start_row_) / global_arena();
    const int64_t arena_begin = ArenaEnd(arena - 1);
    const int64_t arena_end = std::min(ArenaEnd(arena), end_row);
    const int64_t count = CountBelow(row, row_step, arena_end);
    runs.push_back({arena, (row - base) / lanes - visit.window.begin, lane_step, count,
                    (row - FirstOwnRow(arena_begin)) / world, row_step / world});
    row += count * row_step;
  }
  return runs;
}

std::vector<Run> Delivery::MixtureRuns(const WindowVisit& visit,
                                       std::vector<Place>* places) const {
  const int64_t lanes = plan_->num_lanes();
  const int64_t base = visit.lap * plan_->num_rows();
  const int64_t end_row = std::min(end_row_, base + plan_->num_rows());
  // The row of the source's own stream with which the window begins.
  int64_t source_row = visit.source_lap * plan_->source_rows(visit.source) +
                       visit.window.begin * lanes + visit.window.lane;
  std::vector<Run> runs;
  int64_t arena_end = start_row_;
  int64_t first_own = 0;  // this rank's first row in the arena
  for (int64_t position = 0; position < visit.window.rows(); ++position) {
    const int64_t row = base + plan_->RowOf(visit.source, source_row);
    source_row += lanes;
    if (row >= end_row) break;
    if (row < visit.first_row || !IsOwn(row)) continue;
    if (row >= arena_end) {
      const int64_t arena = (row - start_row_) / global_arena();
      first_own = FirstOwnRow(ArenaEnd(arena - 1));
      arena_end = ArenaEnd(arena);
      runs.push_back({arena, std::ssize(*places), 1, 0, 0, 0});
    }
    const int64_t slot = (row - first_own) / options_.world_size;
    places->push_back({static_cast<uint32_t>(position), static_cast<uint32_t>(slot)});
    ++runs.back().count;
  }
  return runs;
}

WindowSchedule::WindowSchedule(const Delivery* delivery) : delivery_(delivery) {
  FillUp();
}

void WindowSchedule::FillUp() {
  const StreamPlan& plan = *delivery_->plan_;
  for (; next_.empty() && lap_ * plan.num_rows() < delivery_->end_row_; ++lap_) {
    const int64_t base = lap_ * plan.num_rows();
    const int64_t begin = std::max<int64_t>(delivery_->start_row_ - base, 0);
    const int64_t end = std::min(delivery_->end_row_ - base, plan.num_rows());
    if (begin >= end) continue;
    sources_.assign(plan.num_sources(), {});
    for (size_t source = 0; source < plan.num_sources(); ++source) {
      sources_[source].end_row = plan.RowsBefore(source, end);
      FillSource(source, plan.RowsBefore(source, begin));
    }
    if (!next_.empty()) return;
  }
}

void WindowSchedule::FillSource(size_t source, int64_t row) {
  const StreamPlan& plan = *delivery_->plan_;
  const int64_t lanes = plan.num_lanes();
  const int64_t stride = std::gcd(delivery_->options_.world_size, lanes);
  SourceWalk& walk = sources_[source];
  const int64_t end_row = std::min(walk.end_row, row + lanes * Cycle(source));
  while (walk.num_queued == 0 && row < end_row) {
    walk.lap = row / plan.source_rows(source);
    const int64_t lap_begin = walk.lap * plan.source_rows(source);
    walk.plan = plan.Lap(source, walk.lap);
    const int64_t base = lap_ * plan.num_rows() + lap_begin;
    for (int64_t lane = FloorMod(delivery_->options_.rank - base, stride); lane < lanes;
         lane += stride) {
      Queue(source, lane, CeilDiv(std::max<int64_t>(row - lap_begin - lane, 0), lanes));
    }
    row = lap_begin + plan.source_rows(source);
  }
}

int64_t WindowSchedule::Cycle(size_t source) const {
  const Mixture* mixture = delivery_->plan_->mixture();
  const int64_t rounds = mixture == nullptr ? 1 : mixture->table().rounds(source);
  return delivery_->options_.world_size * rounds;
}

void WindowSchedule::Queue(size_t source, int64_t lane, int64_t row) {
  const StreamPlan& plan = *delivery_->plan_;
  SourceWalk& walk = sources_[source];
  const int64_t lanes = plan.num_lanes();
  const int64_t base = walk.lap * plan.source_rows(source) + lane;
  for (const int64_t end = row + Cycle(source); row < end; ++row) {
    const int64_t source_row = base + row * lanes;
    if (row >= walk.plan->lane_rows(lane) || source_row >= walk.end_row) return;
    const int64_t first_row = lap_ * plan.num_rows() + plan.RowOf(source, source_row);
    if (!delivery_->IsOwn(first_row)) continue;
    next_.push(
        {walk.plan->WindowAt(lane, row), lap_, first_row, source, walk.lap, walk.plan});
    ++walk.num_queued;
    return;
  }
}

void WindowSchedule::Pop() {
  const Window window = next_.top().window;
  const size_t source = next_.top().source;
  next_.pop();
  SourceWalk& walk = sources_[source];
  --walk.num_queued;
  Queue(source, window.lane, window.end);
  const int64_t next_lap = (walk.lap + 1) * delivery_->plan_->source_rows(source);
  if (walk.num_queued == 0) FillSource(source, next_lap);
  if (next_.empty()) {
    ++lap_;
    FillUp();
  }
}

}  // namespace rowfeed
