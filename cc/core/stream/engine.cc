// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/engine.h"

#include <mutex>
#include <utility>

namespace rowfeed {

Engine::Engine(std::shared_ptr<const StreamContext> context)
    : context_(std::move(context)), control_(std::make_shared<StreamControl>()) {}

Engine::~Engine() {
  Cancel();
  Abandon();
}

void Engine::Cancel() {
  const std::lock_guard lock(control_->mutex);
  control_->cancelled = true;
  control_->changed.notify_all();
}

void Engine::Abandon() {
  {
    std::unique_lock lock(control_->mutex);
    control_->changed.wait(lock, [this] { return control_->running_tasks == 0; });
  }
  current_.reset();
  ahead_.reset();
}

void Engine::Start(int64_t epoch, int64_t row) {
  num_taken_ = 0;
  if (ahead_ && ahead_->epoch() == epoch && row == 0) {
    const std::lock_guard lock(control_->mutex);
    current_ = std::move(ahead_);
    return;
  }
  current_ = std::make_shared<EpochPipeline>(context_, control_, epoch, row, 0);
}

void Engine::Pump(std::optional<int64_t> ahead) {
  current_->Pump(/*leading=*/true);
  if (!ahead || !current_->all_admitted()) return;
  if (!ahead_) {
    ahead_ = std::make_shared<EpochPipeline>(context_, control_, *ahead, 0,
                                             current_->end_position());
  }
  ahead_->Pump(/*leading=*/false);
}

Result<Engine::Pull> Engine::Next(std::chrono::steady_clock::time_point deadline,
                                  std::optional<int64_t> ahead, Batch* batch) {
  std::unique_lock lock(control_->mutex);
  while (!control_->cancelled) {
    Pump(ahead);
    if (current_->done()) return Pull::kEpochEnd;
    if (current_->ready()) {
      ++num_taken_;
      Result<Batch> taken = current_->Take();
      Pump(ahead);
      if (!taken.ok()) return taken.status();
      *batch = *std::move(taken);
      return Pull::kBatch;
    }
    if (control_->changed.wait_until(lock, deadline) == std::cv_status::timeout &&
        !current_->ready()) {
      return Pull::kTimeout;
    }
  }
  return Status(StatusCode::kCancelled, "the stream was closed");
}

bool Engine::Drop(int64_t count) {
  const std::lock_guard lock(control_->mutex);
  if (current_->num_pending() < count) return false;
  for (; count > 0; --count, ++num_taken_) current_->DropNext();
  return true;
}

}  // namespace rowfeed
