// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/epoch_splits.h"

#include <algorithm>
#include <limits>

namespace rowfeed {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

}  // namespace

Result<SplitStream> StreamOfSplit(const EpochSplit& split, const StreamOptions& options,
                                  int64_t max_rows) {
  const int64_t lanes = options.order.num_lanes;
  // The longest lane has so many rows. The limit also keeps end * lanes from
  // overflowing.
  const int64_t lane_rows = max_rows / lanes + (max_rows % lanes > 0 ? 1 : 0);
  if (split.epoch < 0 || split.epoch == kMax || split.lane < 0 || split.lane >= lanes ||
      split.begin < 0 || split.begin > split.end || split.end > lane_rows) {
    return Status::Invalid("The split is not of this dataset: lane ", split.lane,
                           ", rows ", split.begin, " to ", split.end, " of epoch ",
                           split.epoch);
  }
  // With as many ranks as lanes, rank l has the rows of lane l and no others.
  SplitStream stream{options, {}};
  stream.options.num_epochs = 1;
  DeliveryOptions& delivery = stream.options.delivery;
  delivery.rank = split.lane;
  delivery.world_size = lanes;
  delivery.end_row = split.end * lanes;
  // The reader drops a short batch itself: the stream would refuse a window that is
  // smaller than a batch.
  if (delivery.remainder != Remainder::kPad) delivery.remainder = Remainder::kUneven;
  stream.start.epoch = split.epoch;
  stream.start.row = split.begin * lanes;
  stream.start.next_epoch = split.epoch + 1;
  return stream;
}

bool IsDeliveredFromSplit(int64_t num_rows, const DeliveryOptions& delivery) {
  return delivery.remainder != Remainder::kDrop || num_rows == delivery.batch_size;
}

void EpochSplits::LoadEpoch() {
  const int64_t epoch = position_.begin_epoch + position_.epochs_done;
  const EpochPlan plan(rows_, options_.order, options_.OrderEpoch(epoch));
  windows_.clear();
  for (int64_t lane = 0; lane < plan.num_lanes(); ++lane) {
    for (int64_t index = 0; index < plan.num_windows(lane); ++index) {
      windows_.push_back(plan.window(lane, index));
    }
  }
  std::stable_sort(windows_.begin(), windows_.end(),
                   [](const Window& a, const Window& b) { return a.begin < b.begin; });
  loaded_ = true;
}

bool EpochSplits::Next(EpochSplit* split) {
  while (!options_.num_epochs || position_.epochs_done < *options_.num_epochs) {
    if (!loaded_) LoadEpoch();
    if (position_.next_window < static_cast<int64_t>(windows_.size())) {
      const Window& window = windows_[position_.next_window++];
      *split = {position_.begin_epoch + position_.epochs_done, window.lane,
                window.begin, window.end};
      return true;
    }
    if (windows_.empty()) return false;
    ++position_.epochs_done;
    position_.next_window = 0;
    loaded_ = false;
  }
  return false;
}

void EpochSplits::Reset() {
  const bool in_epoch = position_.next_window > 0;
  position_ = {position_.begin_epoch + position_.epochs_done + (in_epoch ? 1 : 0), 0,
               0};
  loaded_ = false;
}

Status EpochSplits::Restore(const Position& position) {
  const auto& [begin_epoch, epochs_done, next_window] = position;
  if (begin_epoch < 0 || epochs_done < 0 || next_window < 0 ||
      epochs_done > kMax - begin_epoch ||
      !Progress{begin_epoch + epochs_done, 0, begin_epoch, epochs_done}
           .Validate(0)
           .ok()) {
    return Status::Invalid("no place among splits: window ", next_window, " of epoch ",
                           begin_epoch, " + ", epochs_done);
  }
  position_ = position;
  loaded_ = false;
  return {};
}

}  // namespace rowfeed
