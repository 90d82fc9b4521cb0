// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/delivery.h"

#include <algorithm>
#include <numeric>

namespace rowfeed {
namespace {

// a mod b in [0, b) for any a.
int64_t FloorMod(int64_t a, int64_t b) { return ((a % b) + b) % b; }

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How many of the numbers first, first + step, ... are below `end`.
int64_t CountBelow(int64_t first, int64_t step, int64_t end) {
  return first < end ? CeilDiv(end - first, step) : 0;
}

// The first row of `rank` at or after `row`.
int64_t FirstRowOfRank(int64_t row, const DeliveryOptions& options) {
  return row + FloorMod(options.rank - row, options.world_size);
}

}  // namespace

Status DeliveryOptions::Validate() const {
  if (batch_size < 1 || batch_size > kMaxBatchSize) {
    return Status::Invalid("batch_size must be in [1, ", kMaxBatchSize, "], not ",
                           batch_size);
  }
  if (world_size < 1 || world_size > kMaxWorldSize) {
    return Status::Invalid("world_size must be in [1, ", kMaxWorldSize, "], not ",
                           world_size);
  }
  if (rank < 0 || rank >= world_size) {
    return Status::Invalid("rank must be in [0, world_size = ", world_size, "), not ",
                           rank);
  }
  return {};
}

int64_t BatchesPerEpoch(int64_t num_rows, int64_t start_row,
                        const DeliveryOptions& options) {
  num_rows = std::max(std::min(num_rows, options.end_row), start_row);
  const int64_t full = (num_rows - start_row) / options.global_batch();
  const int64_t rest = start_row + full * options.global_batch();  // where it begins
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

Delivery::Delivery(const EpochPlan* plan, int64_t start_row,
                   const DeliveryOptions& options, int64_t batches_per_arena)
    : plan_(plan),
      start_row_(start_row),
      options_(options),
      batches_per_arena_(batches_per_arena),
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

std::vector<Run> Delivery::Runs(const WindowVisit& visit) const {
  const int64_t lanes = plan_->num_lanes();
  const int64_t world = options_.world_size;
  const int64_t lane_step = world / std::gcd(world, lanes);
  const int64_t row_step = lane_step * lanes;  // lcm(world, lanes)
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

WindowSchedule::WindowSchedule(const Delivery* delivery) : delivery_(delivery) {
  FillUp();
}

void WindowSchedule::FillUp() {
  const EpochPlan& plan = *delivery_->plan_;
  const int64_t stride = std::gcd(delivery_->options_.world_size, plan.num_lanes());
  while (next_.empty() && lap_ * plan.num_rows() < delivery_->end_row_) {
    const int64_t base = lap_ * plan.num_rows();
    const int64_t first = std::max<int64_t>(delivery_->start_row_ - base, 0);
    for (int64_t lane = FloorMod(delivery_->options_.rank - base, stride);
         lane < plan.num_lanes(); lane += stride) {
      Queue(lane, CeilDiv(std::max<int64_t>(first - lane, 0), plan.num_lanes()));
    }
    if (next_.empty()) ++lap_;
  }
}

void WindowSchedule::Queue(int64_t lane, int64_t row) {
  const EpochPlan& plan = *delivery_->plan_;
  const int64_t base = lap_ * plan.num_rows() + lane;
  // The own rows of a lane are one in world / gcd(world, lanes): the first comes soon.
  while (FloorMod(base + row * plan.num_lanes() - delivery_->options_.rank,
                  delivery_->options_.world_size) != 0) {
    ++row;
  }
  const int64_t first_row = base + row * plan.num_lanes();
  if (row >= plan.lane_rows(lane) || first_row >= delivery_->end_row_) return;
  next_.push({plan.WindowAt(lane, row), lap_, first_row});
}

void WindowSchedule::Pop() {
  const Window window = next_.top().window;
  next_.pop();
  Queue(window.lane, window.end);
  if (next_.empty()) {
    ++lap_;
    FillUp();
  }
}

}  // namespace rowfeed
