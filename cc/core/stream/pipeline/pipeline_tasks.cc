// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/pipeline_tasks.h"

#include <mutex>
#include <optional>
#include <utility>

#include "core/guarded.h"

namespace rowfeed {

void PipelineTasks::Submit(TaskPool* pool, int64_t position, size_t num_tasks,
                           std::function<Status(size_t)> work,
                           std::function<void(Status)> end) {
  auto run = [this, pool, self = owner_.Self(), work = std::move(work),
              end = std::move(end)](size_t task) { Run(pool, task, work, end); };
  context_.counters->Add(Level::kQueuedTasks, static_cast<int64_t>(num_tasks));
  try {
    pool->Submit(position, num_tasks, std::move(run));
  } catch (...) {
    context_.counters->Add(Level::kQueuedTasks, -static_cast<int64_t>(num_tasks));
    throw;
  }
}

void PipelineTasks::Run(TaskPool* pool, size_t task,
                        const std::function<Status(size_t)>& work,
                        const std::function<void(Status)>& end) {
  Counters* const counters = context_.counters.get();
  counters->Add(Level::kQueuedTasks, -1);
  {
    const std::lock_guard lock(control_.mutex);
    if (is_left()) return;
    ++control_.running_tasks;
  }
  Status status;
  {
    // A thread that fetches is not busy: it waits for the network.
    std::optional<TaskTimer> timer;
    if (pool == context_.tasks) timer.emplace(counters);
    status = RunGuarded([&] { return work(task); });
  }
  const std::lock_guard lock(control_.mutex);
  --control_.running_tasks;
  try {
    if (!is_left()) end(std::move(status));
  } catch (...) {
    broken_ = std::current_exception();
  }
  control_.ReportBytes(counters);
  if (is_left() || owner_.has_news()) control_.changed.notify_all();
}

}  // namespace rowfeed
