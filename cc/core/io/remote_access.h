// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_REMOTE_ACCESS_H_
#define ROWFEED_CORE_IO_REMOTE_ACCESS_H_

#include <memory>
#include <type_traits>
#include <utility>

#include "core/io/blocking_calls.h"
#include "core/io/coalesce.h"
#include "core/io/random_access_file.h"
#include "core/io/retry.h"
#include "core/status.h"

namespace rowfeed {

// How the files of a remote file system are read: on which threads, with which retries
// and request sizes.
struct RemoteAccess {
  std::shared_ptr<BlockingCalls> calls;
  RetryPolicy retry = {};
  RequestSizes requests = {};
};

// Calls `function`, which blocks, and returns its result if it comes within `timeout`.
// Calls it again while it returns kUnavailable. `function` must own all that it
// touches, as a call may be left behind.
template <typename Function>
auto Ask(const RemoteAccess& access, RetryPolicy::Duration timeout,
         const Cancelled& cancelled, const Function& function) -> decltype(function()) {
  using Answer = std::decay_t<decltype(*function())>;
  // Each call gets a new answer, as an earlier call may still write to its own.
  std::shared_ptr<Answer> answer;
  const Status status = Retry(access.retry, cancelled, [&] {
    answer = std::make_shared<Answer>();
    const auto work = [answer, function]() -> Status {
      ROWFEED_ASSIGN_OR_RETURN(*answer, function());
      return {};
    };
    const auto call = access.calls->Start(work, timeout);
    return access.calls->Wait(call.get(), cancelled);
  });
  if (!status.ok()) return status;
  return std::move(*answer);
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_REMOTE_ACCESS_H_
