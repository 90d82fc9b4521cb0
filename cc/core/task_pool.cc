// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/task_pool.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace rowfeed {
namespace {

// How much nicer the pool's threads are. With 2, a consumer that competes for a CPU
// with a thread that works for it gets 1.6 times that thread's share.
constexpr int kNicer = 2;

// Lowers the priority of the calling thread: when it wakes up for work, it does not
// take the CPU from the consumer that woke it, and where CPUs are short it gets a
// little less. Threads that libraries start from this one inherit that.
void LetOthersRun() {
  const sched_param param = {};
  if (sched_getscheduler(0) != SCHED_OTHER) return;  // keep what the user chose
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

void TaskPool::Submit(int64_t position, size_t num_tasks,
                      std::function<void(size_t)> run) {
  if (num_tasks == 0) return;
  auto shared = std::make_shared<const std::function<void(size_t)>>(std::move(run));
  {
    const std::lock_guard lock(mutex_);
    const size_t wanted = std::min<size_t>(num_threads_, threads_.size() + num_tasks);
    while (threads_.size() < wanted && AddThread()) {
    }
    tasks_.push({position, next_ticket_++, 0, num_tasks, std::move(shared)});
  }
  num_tasks == 1 ? available_.notify_one() : available_.notify_all();
}

bool TaskPool::AddThread() {
  try {
    threads_.emplace_back([this] { Work(); });
    return true;
  } catch (const std::system_error& e) {
    if (threads_.empty()) throw std::system_error(e.code(), "cannot start a thread");
    return false;  // the threads that exist do the work
  }
}

void TaskPool::Work() {
  // Debuggers and top show this name.
  pthread_setname_np(pthread_self(), "rowfeed");
  LetOthersRun();
  std::unique_lock lock(mutex_);
  while (true) {
    available_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
    if (closed_) return;
    // top() is const, but only members that do not affect the order of the queue are
    // changed.
    auto& top = const_cast<Tasks&>(tasks_.top());
    const size_t task = top.next++;
    std::shared_ptr<const std::function<void(size_t)>> run = top.run;
    if (top.next == top.end) tasks_.pop();
    lock.unlock();
    (*run)(task);
    run = nullptr;  // frees what the tasks hold outside the lock
    lock.lock();
  }
}

}  // namespace rowfeed
