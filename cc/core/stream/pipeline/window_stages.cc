// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/window_stages.h"

#include "core/guarded.h"

namespace rowfeed {

void WindowStages::Start(const std::shared_ptr<LoadingWindow>& loading) {
  CountFetched(loading.get(), loading->load.reader().fetched_bytes());
  Fetch(loading);
}

void WindowStages::CountFetched(LoadingWindow* loading, int64_t bytes) {
  bytes_.Add(bytes - loading->fetched_bytes);
  loading->fetched_bytes = bytes;
}

void WindowStages::Fetch(const std::shared_ptr<LoadingWindow>& loading) {
  RunStage(
      loading, context_.fetches, loading->load.reader().num_fetch_tasks(),
      [this, loading](size_t task) {
        return loading->load.reader().RunFetchTask(task, [this, &loading] {
          return control_.cancelled || loading->has_failed;
        });
      },
      [this, loading] {
        CountFetched(loading.get(), loading->load.reader().fetched_bytes());
        Check(loading);
        Filter(loading);
      });
}

void WindowStages::Check(const std::shared_ptr<LoadingWindow>& loading) {
  const size_t num_checks = loading->load.reader().num_checks();
  if (num_checks == 0) return;
  loading->checks_left = num_checks;
  loading->check_status = RunGuarded([&] {
    tasks_.Submit(
        context_.fetches, loading->position, num_checks,
        [this, loading](size_t check) {
          return loading->load.reader().RunCheck(
              check, [this] { return control_.cancelled.load(); });
        },
        [this, loading](const Status& status) {
          if (loading->check_status.ok()) loading->check_status = status;
          if (--loading->checks_left == 0 && loading->is_over) EndLoading(loading);
        });
    return Status();
  });
  if (!loading->check_status.ok()) loading->checks_left = 0;
}

void WindowStages::Filter(const std::shared_ptr<LoadingWindow>& loading) {
  RunStage(
      loading, context_.tasks, loading->load.reader().num_filter_tasks(),
      [this, loading](size_t task) {
        return loading->load.reader().RunFilterTask(task, control_.cancelled);
      },
      [this, loading] { Prepare(loading); });
}

void WindowStages::Prepare(const std::shared_ptr<LoadingWindow>& loading) {
  RunStage(
      loading, context_.tasks, /*num_tasks=*/1,
      [loading](size_t) { return loading->load.Prepare(std::move(loading->builders)); },
      [this, loading] { Decode(loading); });
}

void WindowStages::Decode(const std::shared_ptr<LoadingWindow>& loading) {
  RunStage(
      loading, context_.tasks, loading->load.sink().num_tasks(),
      [this, loading](size_t task) {
        return loading->load.sink().RunTask(task, control_.cancelled);
      },
      [this, loading] { DropFetched(loading); });
}

void WindowStages::DropFetched(const std::shared_ptr<LoadingWindow>& loading) {
  if (loading->load.reader().num_fetch_tasks() == 0) return EndLoading(loading);
  tasks_.Submit(
      context_.tasks, loading->position, /*num_tasks=*/1,
      [loading](size_t) {
        loading->load.reader().DropFetched();
        return Status();
      },
      [this, loading](const Status&) {
        CountFetched(loading.get(), 0);
        EndLoading(loading);
      });
}

void WindowStages::RunStage(const std::shared_ptr<LoadingWindow>& loading,
                            TaskPool* pool, size_t num_tasks,
                            std::function<Status(size_t)> work,
                            const std::function<void()>& next) {
  if (num_tasks == 0) return next();
  loading->tasks_left = num_tasks;
  const auto end = [this, loading, next](const Status& status) {
    if (loading->status.ok()) loading->status = status;
    loading->has_failed = !loading->status.ok();
    if (--loading->tasks_left > 0) return;
    loading->status.ok() ? next() : DropFetched(loading);
  };
  auto run = [loading, work = std::move(work)](size_t task) {
    return loading->has_failed ? Status() : work(task);
  };
  const Status queued = RunGuarded([&] {
    tasks_.Submit(pool, loading->position, num_tasks, std::move(run), end);
    return Status();
  });
  if (queued.ok()) return;
  loading->status = queued;
  EndLoading(loading);
}

void WindowStages::EndLoading(const std::shared_ptr<LoadingWindow>& loading) {
  loading->is_over = true;
  if (loading->checks_left > 0) return;
  if (!loading->check_status.ok()) loading->status = loading->check_status;
  loading->is_loaded = true;
  loading->load.sink().LeaveBuilders();
  on_loaded_(loading);
}

}  // namespace rowfeed
