// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_RETRY_H_
#define ROWFEED_CORE_IO_RETRY_H_

#include <chrono>
#include <cstdint>
#include <functional>

#include "core/export.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// How long a call is tried again.
struct RetryPolicy {
  using Duration = std::chrono::milliseconds;

  Duration attempt_timeout{20'000};  // time for a single call
  Duration total_timeout{60'000};    // no call is begun after it
  Duration first_pause{100};
  Duration longest_pause{5'000};

  // Returns the policy for a call that transfers `bytes`: with more time, as the
  // connection may be slow or shared by many calls.
  RetryPolicy ForBytes(int64_t bytes) const;
};

// Calls `attempt` until it returns something else than kUnavailable. The pauses between
// calls double, and each is shortened by a random part of up to half, so that many
// readers do not come back at once. The error that is returned after the total time
// says how often it was tried.
ROWFEED_EXPORT Status Retry(const RetryPolicy& policy, const Cancelled& cancelled,
                            const std::function<Status()>& attempt);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_RETRY_H_
