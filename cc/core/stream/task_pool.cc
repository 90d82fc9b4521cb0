// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/task_pool.h"

#include <pthread.h>

#include <system_error>
#include <utility>

namespace rowfeed {
namespace {

// The calling thread, when it wakes for work, does not take the CPU from the consumer
// who woke it.
void LetOthersRun() {
  int policy;
  sched_param param;
  if (pthread_getschedparam(pthread_self(), &policy, &param) != 0) return;
  if (policy == SCHED_OTHER) pthread_setschedparam(pthread_self(), SCHED_BATCH, &param);
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
