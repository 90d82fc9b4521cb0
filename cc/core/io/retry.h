// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_RETRY_H_
#define ROWFEED_CORE_IO_RETRY_H_

#include <chrono>
#include <cstdint>
#include <functional>

#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// What is tried again, and for how long.
struct RetryPolicy {
  using Duration = std::chrono::milliseconds;

  Duration attempt_timeout{20'000};  // of one call
  Duration total_timeout{60'000};    // after which none is begun
  Duration first_pause{100};
  Duration longest_pause{5'000};

  // That of a call that brings so many bytes, on a connection that is slow or that many
  // calls share.
  RetryPolicy ForBytes(int64_t bytes) const;
};

// Calls `attempt` until it returns something else than kUnavailable, with pauses that
// double and of which a random half is left out, so that many readers do not come back
// at once. What is returned after the total time says how often it was tried.
Status Retry(const RetryPolicy& policy, const Cancelled& cancelled,
             const std::function<Status()>& attempt);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_RETRY_H_
