// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/blocking_calls.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/io/fork_count.h"

namespace rowfeed {

namespace {

Status Guarded(const std::function<Status()>& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return {StatusCode::kOutOfMemory, "out of memory"};
  } catch (const std::exception& e) {
    return {StatusCode::kInternal, e.what()};
  }
}

}  // namespace

class BlockingCalls::Call {
 public:
  explicit Call(std::function<Status()> function) : function(std::move(function)) {}

  // Guarded by State::mutex:
  std::function<Status()> function;        // until it runs
  std::optional<Clock::time_point> start;  // since when it runs
  std::optional<Status> outcome;
  bool is_abandoned = false;
};

struct BlockingCalls::State {
  explicit State(int max_threads) : max_threads(max_threads) {}

  // With the mutex. Another thread may take the place of one that is stuck.
  void Abandon(Call* call) {
    if (call->start && !call->outcome && !call->is_abandoned) --num_threads;
    call->is_abandoned = true;
  }

  const int max_threads;
  const int owner = ForkCount();
  std::mutex mutex;
  std::condition_variable work;   // there is a call to run, or all ends
  std::condition_variable ended;  // a call has started or ended
  std::deque<std::shared_ptr<Call>> queue;
  int num_threads = 0;  // but those in calls that were left behind
  int num_idle = 0;
  int num_running = 0;
  bool closed = false;
};

BlockingCalls::BlockingCalls(int max_threads)
    : state_(std::make_shared<State>(max_threads)) {}

BlockingCalls::~BlockingCalls() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->queue.clear();
  state_->work.notify_all();
}

std::shared_ptr<BlockingCalls::Call> BlockingCalls::Start(
    std::function<Status()> function) {
  auto call = std::make_shared<Call>(std::move(function));
  const std::lock_guard lock(state_->mutex);
  state_->queue.push_back(call);
  if (state_->num_idle < static_cast<int>(state_->queue.size()) &&
      state_->num_threads < state_->max_threads) {
    try {
      std::thread([state = state_] { Work(state); }).detach();
      ++state_->num_threads;
    } catch (const std::system_error&) {
      if (state_->num_threads == 0) throw;  // else those that there are do the work
    }
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
    const std::shared_ptr<Call> call = std::move(state->queue.front());
    state->queue.pop_front();
    if (call->is_abandoned) continue;
    std::function<Status()> function = std::move(call->function);
    call->start = Clock::now();
    ++state->num_running;
    lock.unlock();
    Status outcome = Guarded(function);
    function = nullptr;
    lock.lock();
    --state->num_running;
    call->outcome = std::move(outcome);
    state->ended.notify_all();
    if (call->is_abandoned) return;
  }
}

Status BlockingCalls::Wait(Call* call, Clock::duration timeout,
                           const Cancelled& cancelled) {
  std::unique_lock lock(state_->mutex);
  while (!call->outcome) {
    if (call->start && Clock::now() - *call->start > timeout) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
      state_->Abandon(call);
      return Status::Make(StatusCode::kUnavailable, "no answer for ", seconds.count(),
                          " s");
    }
    state_->ended.wait_for(lock, kCancelPoll);
    if (!cancelled || call->outcome) continue;
    lock.unlock();  // who is asked may take its time, or another lock
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
      if (state.num_running == 0) return;
    }
    std::fflush(nullptr);
    _exit(exit_status);
  };
  on_exit(leave, new std::shared_ptr<State>(state_));  // immortal, as its threads are
}

bool BlockingCalls::WaitUntilIdle(Clock::duration timeout) {
  std::unique_lock lock(state_->mutex);
  return state_->ended.wait_for(lock, timeout,
                                [this] { return state_->num_running == 0; });
}

}  // namespace rowfeed
