// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_WINDOW_STAGES_H_
#define ROWFEED_CORE_STREAM_PIPELINE_WINDOW_STAGES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "core/status.h"
#include "core/stream/pipeline/loading_window.h"
#include "core/stream/pipeline/pipeline_tasks.h"
#include "core/stream/pipeline/stream_control.h"
#include "core/stream/window/stream_context.h"
#include "core/task_pool.h"

namespace rowfeed {

// Loads windows in stages: fetch, filter, prepare, decode and gather, drop what was
// fetched. The tasks of one stage run concurrently, and the last of them to end starts
// the next stage. What was fetched is checked beside the later stages.
//
// Every member is called with control->mutex held, and so is `on_loaded`. What the
// tasks of a stage do runs without it: they may change nothing of a window but its
// `load` and, in the one task of Prepare, its builders.
class WindowStages {
 public:
  using OnLoaded = std::function<void(const std::shared_ptr<LoadingWindow>&)>;

  // `on_loaded`: called once for each window, when its last stage has ended, with or
  // without an error. The other arguments must outlive this object.
  WindowStages(const StreamContext* context, StreamControl* control,
               PipelineBytes* bytes, PipelineTasks* tasks, OnLoaded on_loaded)
      : context_(*context),
        control_(*control),
        bytes_(*bytes),
        tasks_(*tasks),
        on_loaded_(std::move(on_loaded)) {}

  void Start(const std::shared_ptr<LoadingWindow>& loading);

 private:
  void Fetch(const std::shared_ptr<LoadingWindow>& loading);
  void Check(const std::shared_ptr<LoadingWindow>& loading);
  void Filter(const std::shared_ptr<LoadingWindow>& loading);
  void Prepare(const std::shared_ptr<LoadingWindow>& loading);
  void Decode(const std::shared_ptr<LoadingWindow>& loading);
  void DropFetched(const std::shared_ptr<LoadingWindow>& loading);
  // Calls work(0), …, work(num_tasks - 1) on the pool, then `next` with the mutex held.
  // After an error, calls DropFetched rather than `next`.
  void RunStage(const std::shared_ptr<LoadingWindow>& loading, TaskPool* pool,
                size_t num_tasks, std::function<Status(size_t)> work,
                const std::function<void()>& next);
  // Called when all stages have ended and when all checks have. Only the later call has
  // an effect.
  void EndLoading(const std::shared_ptr<LoadingWindow>& loading);
  // Sets how many fetched bytes of the window count in the budget from now on.
  void CountFetched(LoadingWindow* loading, int64_t bytes);

  const StreamContext& context_;
  StreamControl& control_;
  PipelineBytes& bytes_;
  PipelineTasks& tasks_;
  const OnLoaded on_loaded_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_WINDOW_STAGES_H_
