// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_PIPELINE_TASKS_H_
#define ROWFEED_CORE_STREAM_PIPELINE_PIPELINE_TASKS_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "core/status.h"
#include "core/stream/pipeline/stream_control.h"
#include "core/stream/window/stream_context.h"
#include "core/task_pool.h"

namespace rowfeed {

// Runs the tasks of one pipeline until it is given up. Every member is called with
// control->mutex held.
class PipelineTasks {
 public:
  // The pipeline that the tasks belong to.
  class Owner {
   public:
    // Returns a reference that keeps the pipeline alive as long as a task is queued.
    virtual std::shared_ptr<const void> Self() = 0;
    // Whether the consumer must be told of something.
    virtual bool has_news() const = 0;

   protected:
    ~Owner() = default;
  };

  // All arguments must outlive this object.
  PipelineTasks(const StreamContext* context, StreamControl* control, Owner* owner)
      : context_(*context), control_(*control), owner_(*owner) {}

  // Runs work(0), …, work(num_tasks - 1) on `pool` without the mutex, and after each of
  // them `end` with it. Once the pipeline is given up, it runs neither.
  void Submit(TaskPool* pool, int64_t position, size_t num_tasks,
              std::function<Status(size_t)> work, std::function<void(Status)> end);
  // Gives the pipeline up.
  void Leave() { is_left_ = true; }
  // Whether the pipeline is given up.
  bool is_left() const { return is_left_ || broken_ || control_.cancelled; }
  // What was thrown at the end of a task. It gives the pipeline up.
  const std::exception_ptr& broken() const { return broken_; }

 private:
  void Run(TaskPool* pool, size_t task, const std::function<Status(size_t)>& work,
           const std::function<void(Status)>& end);

  const StreamContext& context_;
  StreamControl& control_;
  Owner& owner_;
  bool is_left_ = false;
  std::exception_ptr broken_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_PIPELINE_TASKS_H_
