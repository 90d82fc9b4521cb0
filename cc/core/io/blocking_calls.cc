// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/blocking_calls.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <list>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/guarded.h"
#include "core/io/fork_count.h"

namespace rowfeed {

class BlockingCalls::Call {
 public:
  Call(std::function<Status()> function, Clock::duration timeout)
      : timeout(timeout), function(std::move(function)) {}

  // Call with the mutex held.
  bool is_overdue() const { return start && Clock::now() - *start > timeout; }

  const Clock::duration timeout;
  // Guarded by State::mutex:
  std::function<Status()> function;        // what to call; empty once it runs
  std::optional<Clock::time_point> start;  // when it began to run
  std::optional<Status> outcome;
  bool is_abandoned = false;
};

struct BlockingCalls::State : std::enable_shared_from_this<State> {
  using Calls = std::list<std::shared_ptr<Call>>;

  explicit State(int max_threads) : max_threads(max_threads) {}

  // Call all of these with the mutex held.

  // Starts a thread if a queued call needs one and the limit allows it. Returns whether
  // there is any thread.
  bool AddThread() {
    if (num_idle < static_cast<int>(queue.size()) && num_threads < max_threads) {
      try {
        std::thread([state = shared_from_this()] { Work(state); }).detach();
        ++num_threads;
      } catch (const std::system_error&) {
        return num_threads > 0;  // the threads that exist do the work
      }
    }
    return num_threads > 0;
  }
  // Leaves a call behind. If it is running, a new thread replaces the one that is stuck
  // in it.
  void Abandon(Call* call) {
    const bool is_running = call->start && !call->outcome && !call->is_abandoned;
    call->is_abandoned = true;
    if (!is_running) return;
    --num_threads;
    AddThread();
  }
  // Makes threads free for calls that wait in the queue: leaves overdue calls behind,
  // also those that nobody waits for.
  void MakeRoom() {
    for (const auto& call : running) {
      if (call->is_overdue()) Abandon(call.get());
    }
    AddThread();  // starting a thread may have failed before
  }

  const int max_threads;
  const int owner = ForkCount();
  std::mutex mutex;
  std::condition_variable work;   // notified when a call was queued or `closed` was set
  std::condition_variable ended;  // notified when a call has ended
  Calls queue;
  int num_threads = 0;  // number of threads that are not stuck in calls left behind
  int num_idle = 0;
  Calls running;  // running calls, those left behind included
  bool closed = false;
};

BlockingCalls::BlockingCalls(int max_threads)
    : state_(std::make_shared<State>(max_threads)) {}

BlockingCalls::~BlockingCalls() {
  State::Calls dropped;  // queued calls, destroyed after the mutex is released
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->queue.swap(dropped);
  state_->work.notify_all();
}

std::shared_ptr<BlockingCalls::Call> BlockingCalls::Start(
    std::function<Status()> function, Clock::duration timeout) {
  auto call = std::make_shared<Call>(std::move(function), timeout);
  const std::lock_guard lock(state_->mutex);
  state_->queue.push_back(call);
  if (!state_->AddThread()) {
    state_->queue.pop_back();
    throw std::system_error(
        std::make_error_code(std::errc::resource_unavailable_try_again),
        "cannot start a thread");
  }
  state_->work.notify_one();
  return call;
}

void BlockingCalls::Work(const std::shared_ptr<State>& state) {
  pthread_setname_np(pthread_self(), "rowfeed-io");
  std::unique_lock lock(state->mutex);
  while (true) {
    ++state->num_idle;
    state->work.wait(lock, [&] { return state->closed || !state->queue.empty(); });
    --state->num_idle;
    if (state->closed) return;
    const auto next = state->queue.begin();
    std::shared_ptr<Call> call = *next;
    if (call->is_abandoned) {
      state->queue.erase(next);
      lock.unlock();  // destroying what the call owns may start calls
      call.reset();
      lock.lock();
      continue;
    }
    std::function<Status()> function = std::move(call->function);
    call->start = Clock::now();
    state->running.splice(state->running.end(), state->queue, next);
    lock.unlock();
    Status outcome = RunGuarded(function);
    function = nullptr;
    lock.lock();
    state->running.erase(next);
    call->outcome = std::move(outcome);
    state->ended.notify_all();
    if (call->is_abandoned) return;
  }
}

Status BlockingCalls::Wait(Call* call, const Cancelled& cancelled) {
  std::unique_lock lock(state_->mutex);
  while (!call->outcome) {
    if (!call->start) state_->MakeRoom();
    if (call->is_overdue()) {
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(call->timeout);
      state_->Abandon(call);
      return Status::Make(StatusCode::kUnavailable, "no answer for ", seconds.count(),
                          " s");
    }
    state_->ended.wait_for(lock, kCancelPoll);
    if (!cancelled || call->outcome) continue;
    lock.unlock();  // `cancelled` may be slow, or take another lock
    const bool is_cancelled = cancelled();
    lock.lock();
    if (is_cancelled && !call->outcome) {
      state_->Abandon(call);
      return {StatusCode::kCancelled, "reading was cancelled"};
    }
  }
  return *std::move(call->outcome);
}

void BlockingCalls::Abandon(Call* call) {
  const std::lock_guard lock(state_->mutex);
  state_->Abandon(call);
}

void BlockingCalls::GuardExit() {
  const auto leave = [](int exit_status, void* given) {
    State& state = **static_cast<std::shared_ptr<State>*>(given);
    if (state.owner != ForkCount()) return;
    {
      const std::lock_guard lock(state.mutex);
      if (state.running.empty()) return;
    }
    std::fflush(nullptr);
    _exit(exit_status);
  };
  // The state is never freed, as its threads may outlive all else.
  on_exit(leave, new std::shared_ptr<State>(state_));
}

bool BlockingCalls::WaitUntilIdle(Clock::duration timeout) {
  std::unique_lock lock(state_->mutex);
  return state_->ended.wait_for(lock, timeout,
                                [this] { return state_->running.empty(); });
}

}  // namespace rowfeed
