// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/retry.h"

#include <algorithm>
#include <random>
#include <string>
#include <thread>

#include "core/io/blocking_calls.h"

namespace rowfeed {
namespace {

using Clock = std::chrono::steady_clock;

// The slowest transfer that is not taken for a hang. At 6 MiB/s, 24 requests of 8 MiB
// at once take 32 s each: 256 KiB/s.
constexpr int64_t kLeastBytesPerSecond = int64_t{256} << 10;

// Waits for `pause`. Returns whether the wait was cancelled.
bool Pause(RetryPolicy::Duration pause, const Cancelled& cancelled) {
  const Clock::time_point end = Clock::now() + pause;
  while (Clock::now() < end) {
    if (cancelled && cancelled()) return true;
    std::this_thread::sleep_for(
        std::min<Clock::duration>(kCancelPoll, end - Clock::now()));
  }
  return cancelled && cancelled();
}

// Returns a random time between half of `pause` and all of it. No data that is
// delivered depends on it.
RetryPolicy::Duration WithJitter(RetryPolicy::Duration pause) {
  std::minstd_rand random{std::random_device()()};
  return RetryPolicy::Duration(
      std::uniform_int_distribution(pause.count() / 2, pause.count())(random));
}

}  // namespace

RetryPolicy RetryPolicy::ForBytes(int64_t bytes) const {
  const Duration time{bytes * 1000 / kLeastBytesPerSecond};
  RetryPolicy longer = *this;
  longer.attempt_timeout += time;
  longer.total_timeout += time;
  return longer;
}

Status Retry(const RetryPolicy& policy, const Cancelled& cancelled,
             const std::function<Status()>& attempt) {
  const Clock::time_point begin = Clock::now();
  RetryPolicy::Duration longest = policy.first_pause;
  for (int num_attempts = 1;; ++num_attempts) {
    Status status = attempt();
    if (status.code() != StatusCode::kUnavailable) return status;
    const RetryPolicy::Duration pause = WithJitter(longest);
    if (Clock::now() + pause - begin > policy.total_timeout) {
      const std::chrono::duration<double> seconds = Clock::now() - begin;
      return Status::Make(status.code(), status.message(), " (tried ", num_attempts,
                          num_attempts == 1 ? " time" : " times", " in ",
                          std::to_string(static_cast<int>(seconds.count())), " s)");
    }
    if (Pause(pause, cancelled)) {
      return {StatusCode::kCancelled, "reading was cancelled"};
    }
    longest = std::min(longest * 2, policy.longest_pause);
  }
}

}  // namespace rowfeed
