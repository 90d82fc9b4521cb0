// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_STATS_PULL_CLOCK_H_
#define ROWFEED_CORE_STREAM_STATS_PULL_CLOCK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/stopwatch.h"
#include "core/stream/stats/counters.h"

namespace rowfeed {

// Counts what the consumer of one iteration gets, how long it waits for that, and how
// long the iteration takes in all.
class PullClock {
 public:
  explicit PullClock(std::shared_ptr<Counters> counters)
      : counters_(std::move(counters)) {}

  const std::shared_ptr<Counters>& counters() const { return counters_; }

  // A wait for one batch. It lasts as long as this object lives, or until Deliver.
  class Wait {
   public:
    Wait(PullClock* clock, Stopwatch::Clock::time_point begin)
        : clock_(clock), watch_(begin) {
      if (!clock_->since_pull_) clock_->since_pull_.emplace(begin);
    }
    ~Wait() {
      if (!has_delivered_) AddWait();
    }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

    // `is_last`: the batch is the last one of its epoch. `was_there`: the consumer did
    // not wait for it, so that the clock is not read again.
    void Deliver(int64_t num_rows, bool is_last, bool was_there) {
      has_delivered_ = true;
      if (was_there && !is_last) {
        clock_->AddElapsed(watch_.begin());
      } else {
        AddWait();
      }
      clock_->Deliver(num_rows, is_last);
    }

   private:
    void AddWait() { clock_->AddWait(watch_.ns()); }

    PullClock* const clock_;
    const Stopwatch watch_;
    bool has_delivered_ = false;
  };

  // After another epoch, an epoch begins with the totals at the end of that one. To
  // read all numbers again, which other threads have just written, would take a
  // consumer microseconds.
  void BeginEpoch(int64_t epoch) {
    epoch_ = epoch;
    if (!std::exchange(has_ended_, false)) begin_ = counters_->Read();
    is_first_ = true;
  }

 private:
  void AddWait(int64_t ns) {
    counters_->Add(Count::kWait, ns);
    if (is_first_) counters_->Add(Count::kFirstWait, ns);
    AddElapsed(Stopwatch::Clock::now());
  }
  void AddElapsed(Stopwatch::Clock::time_point until) {
    counters_->Add(Count::kElapsed, since_pull_->Lap(until));
  }
  void Deliver(int64_t num_rows, bool is_last) {
    is_first_ = false;
    counters_->Add(Count::kBatches, 1);
    counters_->Add(Count::kRows, num_rows);
    if (is_last) {
      begin_ = counters_->EndEpoch(epoch_, begin_);
      has_ended_ = true;
    }
  }

  const std::shared_ptr<Counters> counters_;
  std::optional<Stopwatch> since_pull_;  // runs since elapsed time was last counted
  int64_t epoch_ = 0;
  Totals begin_;  // the totals when the epoch began
  bool is_first_ = true;
  bool has_ended_ = false;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_PULL_CLOCK_H_
