// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_STOP_CLOCK_H_
#define ROWFEED_CORE_STREAM_PIPELINE_STOP_CLOCK_H_

#include <optional>

#include "core/stopwatch.h"
#include "core/stream/stats/counters.h"

namespace rowfeed {

// Counts for how long the budget has admitted no window.
class StopClock {
 public:
  // `counters` must outlive this object.
  explicit StopClock(Counters* counters) : counters_(counters) {}

  // `is_stopped`: whether the budget admits no window now.
  void Set(bool is_stopped) {
    if (stopped_) {
      counters_->Add(Count::kStopped, stopped_->Lap());
      if (!is_stopped) stopped_.reset();
    } else if (is_stopped) {
      stopped_.emplace();
    }
  }

 private:
  Counters* const counters_;
  std::optional<Stopwatch> stopped_;  // runs while the budget admits no window
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_STOP_CLOCK_H_
