// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_TASK_POOL_H_
#define ROWFEED_CORE_STREAM_TASK_POOL_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace rowfeed {

// Threads that run the queued task with the lowest position first; equal positions in
// the order they came. Threads start with the first task and stay until the pool is
// destroyed, which must not happen on one of them. Tasks must not throw. Thread-safe.
class TaskPool {
 public:
  explicit TaskPool(int num_threads) : num_threads_(num_threads) {}
  // Drops queued tasks, waits for running ones.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // Throws std::system_error if the system has not one thread for it.
  void Submit(int64_t position, std::function<void()> task);

 private:
  struct Task {
    int64_t position;
    uint64_t ticket;
    std::function<void()> run;

    bool operator<(const Task& other) const {  // std::priority_queue pops the greatest
      return position != other.position ? position > other.position
                                        : ticket > other.ticket;
    }
  };
  void AddThread();
  void Work();

  const int num_threads_;
  std::mutex mutex_;
  std::condition_variable available_;
  std::priority_queue<Task> tasks_;
  uint64_t next_ticket_ = 0;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_TASK_POOL_H_
