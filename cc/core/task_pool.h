// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_TASK_POOL_H_
#define ROWFEED_CORE_TASK_POOL_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace rowfeed {

// A pool of threads that run queued tasks: the lowest position first, and tasks of
// equal position in the order in which they were queued. Threads start with the first
// task and live until the pool is destroyed, which must not happen on one of them.
// Tasks must not throw. Thread-safe.
class TaskPool {
 public:
  explicit TaskPool(int num_threads) : num_threads_(num_threads) {}
  // Drops queued tasks and waits for running ones.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // The position of tasks that run before all others: those that free memory for them.
  static constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();

  // Queues run(0), …, run(num_tasks - 1), which may run at the same time. Throws
  // std::system_error if the system gives not even one thread.
  void Submit(int64_t position, size_t num_tasks, std::function<void(size_t)> run);

 private:
  // The tasks of one Submit. They are one entry of the queue, so that queueing many
  // takes no longer than queueing one.
  struct Tasks {
    int64_t position;
    uint64_t ticket;
    size_t next;
    size_t end;
    std::shared_ptr<const std::function<void(size_t)>> run;

    // A std::priority_queue pops the greatest entry.
    bool operator<(const Tasks& other) const {
      return position != other.position ? position > other.position
                                        : ticket > other.ticket;
    }
  };
  bool AddThread();
  void Work();

  const int num_threads_;
  std::mutex mutex_;
  std::condition_variable available_;
  std::priority_queue<Tasks> tasks_;
  uint64_t next_ticket_ = 0;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_TASK_POOL_H_
