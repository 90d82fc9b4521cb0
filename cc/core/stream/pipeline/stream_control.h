// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_STREAM_CONTROL_H_
#define ROWFEED_CORE_STREAM_PIPELINE_STREAM_CONTROL_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "core/stream/stats/counters.h"

namespace rowfeed {

// What the pipelines of one stream share: the mutex of all their state, the consumer's
// wake-up, and the count of bytes that the memory budget limits.
struct StreamControl {
  std::mutex mutex;
  std::condition_variable changed;  // a batch is ready, a task has ended, or cancelled
  // `mutex` guards the members below.
  int64_t bytes_in_flight = 0;  // memory of windows, and of batches not yet handed over
  int running_tasks = 0;
  int64_t reported_bytes = 0;
  std::atomic<bool> cancelled = false;  // also read without the mutex

  void ReportBytes(Counters* counters) {
    if (bytes_in_flight == reported_bytes) return;
    counters->AddBytesInFlight(bytes_in_flight - reported_bytes);
    reported_bytes = bytes_in_flight;
  }
};

// The memory of one pipeline, which is a part of what the budget of the stream limits.
// Every member is called with control->mutex held.
class PipelineBytes {
 public:
  // `budget`: the most bytes that all pipelines of the stream should have in flight,
  // beside what is being decoded.
  PipelineBytes(std::shared_ptr<StreamControl> control, int64_t budget)
      : control_(std::move(control)), budget_(budget) {}

  void Add(int64_t bytes) {
    control_->bytes_in_flight += bytes;
    own_ += bytes;
  }
  // Stops to count what this pipeline has in flight.
  void Forget() { Add(-own_); }
  bool is_spent() const { return control_->bytes_in_flight >= budget_; }
  bool HasRoomFor(int64_t bytes) const {
    return control_->bytes_in_flight + bytes <= budget_;
  }

 private:
  const std::shared_ptr<StreamControl> control_;
  const int64_t budget_;
  int64_t own_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_STREAM_CONTROL_H_
