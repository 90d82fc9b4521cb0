// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_BLOCKING_CALLS_H_
#define ROWFEED_CORE_IO_BLOCKING_CALLS_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "core/export.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// Runs calls that block in a library, maybe for ever, on threads that nobody joins. Who
// waits for a call can give up and leave it behind; so a call must own all that it
// touches. Thread-safe.
class ROWFEED_EXPORT BlockingCalls {
 public:
  using Clock = std::chrono::steady_clock;

  explicit BlockingCalls(int max_threads);
  // Does not wait: each thread ends when its current call returns.
  ~BlockingCalls();
  BlockingCalls(const BlockingCalls&) = delete;
  BlockingCalls& operator=(const BlockingCalls&) = delete;

  class Call;
  // Queues a call; calls start in the order of their Start. A call that runs for longer
  // than `timeout` is left behind when somebody waits for it, or when another call
  // needs its thread. Throws std::system_error if the system gives not even one thread.
  std::shared_ptr<Call> Start(std::function<Status()> function,
                              Clock::duration timeout);
  // Waits for a call and returns its result. Returns kUnavailable if the call runs for
  // longer than its timeout, and kCancelled soon after `cancelled` returns true; then
  // the call is left behind.
  Status Wait(Call* call, const Cancelled& cancelled);

  // Says that nobody will wait for the call. If it has not started, it never will.
  void Abandon(Call* call);

  // After this, a process that ends while calls are running ends at once, without
  // running destructors of the libraries loaded so far: the calls may be in their code.
  void GuardExit();

  // Waits up to `timeout` until all running calls have ended, including those left
  // behind. Returns whether they have.
  bool WaitUntilIdle(Clock::duration timeout);

 private:
  struct State;
  static void Work(const std::shared_ptr<State>& state);
  const std::shared_ptr<State> state_;
};

// While somebody waits, time between two checks for cancellation.
inline constexpr std::chrono::milliseconds kCancelPoll{50};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_BLOCKING_CALLS_H_
