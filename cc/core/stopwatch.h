// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STOPWATCH_H_
#define ROWFEED_CORE_STOPWATCH_H_

#include <chrono>
#include <cstdint>

namespace rowfeed {

// Measures the nanoseconds since it was made, or since its last lap.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Stopwatch(Clock::time_point begin = Clock::now()) : begin_(begin) {}

  Clock::time_point begin() const { return begin_; }
  int64_t ns() const { return Between(begin_, Clock::now()); }
  int64_t Lap(Clock::time_point now = Clock::now()) {
    const int64_t lap = Between(begin_, now);
    begin_ = now;
    return lap;
  }

 private:
  static int64_t Between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
  }

  Clock::time_point begin_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STOPWATCH_H_
