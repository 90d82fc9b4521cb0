// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/task_pool.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <system_error>
#include <utility>

namespace rowfeed {
namespace {

// A consumer gets 1.6 times the share of a CPU that the threads that work for it get.
constexpr int kNicer = 2;

// The calling thread, when it wakes for work, does not take the CPU from the consumer
// who woke it, and where CPUs are short gets a little less of them. Threads that
// libraries start from it are like it.
void LetOthersRun() {
  const sched_param param = {};
  if (sched_getscheduler(0) != SCHED_OTHER) return;  // the user's choice
  sched_setscheduler(0, SCHED_BATCH, &param);
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kNicer);
}

}  // namespace

TaskPool::~TaskPool() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  available_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void TaskPool::Submit(int64_t position, std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (static_cast<int>(threads_.size()) < num_threads_) AddThread();
    tasks_.push({position, next_ticket_++, std::move(task)});
  }
  available_.notify_one();
}

void TaskPool::AddThread() {
  try {
    threads_.emplace_back([this] { Work(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;  // else those that there are do the work
  }
}

void TaskPool::Work() {
  pthread_setname_np(pthread_self(), "rowfeed");  // as debuggers and top show it
  LetOthersRun();
  std::unique_lock lock(mutex_);
  while (true) {
    available_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
    if (closed_) return;
    // top() is const, but the task is popped before anything compares it again.
    std::function<void()> run = std::move(const_cast<Task&>(tasks_.top()).run);
    tasks_.pop();
    lock.unlock();
    run();
    run = nullptr;  // what the task holds is freed outside the lock
    lock.lock();
  }
}

}  // namespace rowfeed
