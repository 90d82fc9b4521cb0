// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_BLOCKING_CALLS_H_
#define ROWFEED_CORE_IO_BLOCKING_CALLS_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// Runs calls that block in a library, maybe for ever, on threads that nobody joins: who
// waits for one can give up, and leaves the call behind. So a call owns all that it
// touches. Thread-safe.
class BlockingCalls {
 public:
  using Clock = std::chrono::steady_clock;

  explicit BlockingCalls(int max_threads);
  // Threads end with their last call.
  ~BlockingCalls();
  BlockingCalls(const BlockingCalls&) = delete;
  BlockingCalls& operator=(const BlockingCalls&) = delete;

  class Call;
  // Calls start in the order in which they come. One that runs for longer than
  // `timeout` is left behind, if another waits for its thread also where nobody waits
  // for it. Throws std::system_error if the system has not one thread for it.
  std::shared_ptr<Call> Start(std::function<Status()> function,
                              Clock::duration timeout);
  // What the call returned; kUnavailable if it ran for too long, kCancelled within a
  // moment of `cancelled`: then the call is left behind.
  Status Wait(Call* call, const Cancelled& cancelled);

  // Nobody waits for the call; it does not even start if it has not.
  void Abandon(Call* call);

  // From now on a process that ends while calls run does so at once: destructors of the
  // libraries that are loaded by now, in whose code the calls are, do not run.
  void GuardExit();

  // Whether all calls have ended, those left behind too; waits so long for it.
  bool WaitUntilIdle(Clock::duration timeout);

 private:
  struct State;
  static void Work(const std::shared_ptr<State>& state);
  const std::shared_ptr<State> state_;
};

// How often who waits asks whether the wait is cancelled.
inline constexpr std::chrono::milliseconds kCancelPoll{50};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_BLOCKING_CALLS_H_
