// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/epoch_splits.h"

#include <algorithm>

namespace rowfeed {

Status EpochSplit::Validate(int64_t num_lanes, int64_t max_rows) const {
  const bool is_valid = epoch >= 0 && epoch < INT64_MAX && lane >= 0 &&
                        lane < num_lanes && begin >= 0 && begin <= end &&
                        end <= max_rows;
  if (is_valid) return {};
  return Status::Invalid("The split is not of this dataset: lane ", lane, ", rows ",
                         begin, " to ", end, " of epoch ", epoch);
}

StreamOptions EpochSplit::OptionsOf(const StreamOptions& options) const {
  // With as many ranks as lanes, rank l has the rows of lane l and no others.
  const int64_t lanes = options.order.num_lanes;
  StreamOptions own = options;
  own.num_epochs = 1;
  own.delivery.rank = lane;
  own.delivery.world_size = lanes;
  own.delivery.end_row = end * lanes;
  if (own.delivery.remainder != Remainder::kPad) {
    own.delivery.remainder = Remainder::kUneven;
  }
  return own;
}

Progress EpochSplit::Begin(int64_t num_lanes) const {
  Progress progress;
  progress.epoch = epoch;
  progress.row = begin * num_lanes;
  progress.next_epoch = epoch + 1;
  return progress;
}

const std::vector<Window>& EpochSplits::WindowsOfEpoch() {
  if (windows_) return *windows_;
  const int64_t epoch = place_.begin_epoch + place_.epochs_done;
  const EpochPlan plan(rows_, options_.order, options_.OrderEpoch(epoch));
  windows_.emplace();
  for (int64_t lane = 0; lane < plan.num_lanes(); ++lane) {
    for (int64_t index = 0; index < plan.num_windows(lane); ++index) {
      windows_->push_back(plan.window(lane, index));
    }
  }
  std::stable_sort(windows_->begin(), windows_->end(),
                   [](const Window& a, const Window& b) { return a.begin < b.begin; });
  return *windows_;
}

std::optional<EpochSplit> EpochSplits::Next() {
  while (!options_.num_epochs || place_.epochs_done < *options_.num_epochs) {
    const std::vector<Window>& windows = WindowsOfEpoch();
    if (place_.next_window < std::ssize(windows)) {
      const Window& window = windows[place_.next_window++];
      return EpochSplit{place_.begin_epoch + place_.epochs_done, window.lane,
                        window.begin, window.end};
    }
    if (windows.empty()) break;  // without rows, even endless epochs end
    ++place_.epochs_done;
    place_.next_window = 0;
    windows_.reset();
  }
  return std::nullopt;
}

void EpochSplits::Reset() {
  const int64_t begun = place_.epochs_done + (place_.next_window > 0 ? 1 : 0);
  place_ = {place_.begin_epoch + begun, 0, 0};
  windows_.reset();
}

Status EpochSplits::Move(const Place& place) {
  constexpr int64_t kMostEpochs = int64_t{1} << 62;  // their sum does not overflow
  const auto is_epoch = [&](int64_t epoch) {
    return epoch >= 0 && epoch < kMostEpochs;
  };
  if (!is_epoch(place.begin_epoch) || !is_epoch(place.epochs_done) ||
      place.next_window < 0) {
    return Status::Invalid(
        "The checkpoint has no place among the splits: ", place.epochs_done,
        " epochs after epoch ", place.begin_epoch, ", window ", place.next_window);
  }
  place_ = place;
  windows_.reset();
  return {};
}

}  // namespace rowfeed
