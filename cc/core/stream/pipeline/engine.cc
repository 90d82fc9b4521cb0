// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/engine.h"

#include <algorithm>
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
  const std::lock_guard lock(control_->mutex);
  control_->bytes_in_flight = 0;
  control_->ReportBytes(context_->counters.get());
}

void Engine::Start(int64_t epoch, int64_t row) {
  slices_ = {};
  num_taken_ = 0;
  to_drop_ = 0;
  std::shared_ptr<EpochPipeline> next;
  if (current_) {
    const std::lock_guard lock(control_->mutex);
    next = current_->Leave();
    if (next && (next->epoch() != epoch || row != 0)) {
      next->Leave();
      Free(std::move(next));
    }
  }
  if (!next) {
    next = std::make_shared<EpochPipeline>(context_, control_, epoch, row, 0);
  }
  Free(std::exchange(current_, std::move(next)));
}

void Engine::Free(std::shared_ptr<EpochPipeline> pipeline) {
  if (!pipeline) return;
  // To destroy a pipeline takes a while, so a task does it.
  context_->tasks->Submit(TaskPool::kFirst, /*num_tasks=*/1,
                          [old = std::move(pipeline)](size_t) mutable { old.reset(); });
}

void Engine::Pump(std::optional<int64_t> ahead) {
  current_->Pump(/*leading=*/true);
  if (ahead && current_->all_admitted()) current_->ReadAhead(*ahead);
}

template <typename Use>
auto Engine::OrCancel(const Use& use) {
  std::unique_lock lock(control_->mutex);
  try {
    return use(&lock);
  } catch (...) {
    control_->cancelled = true;
    throw;
  }
}

Result<Engine::Got> Engine::Next(std::chrono::steady_clock::time_point deadline,
                                 std::optional<int64_t> ahead, Batch* batch) {
  while (slices_.num_left() == 0) {
    ROWFEED_ASSIGN_OR_RETURN(const Got got,
                             OrCancel([&](std::unique_lock<std::mutex>* lock) {
                               return TakeArena(lock, deadline, ahead);
                             }));
    if (got != Got::kBatch) return got;
  }
  ++num_taken_;
  *batch = slices_.Next();
  return Got::kBatch;
}

Result<Engine::Got> Engine::TakeArena(std::unique_lock<std::mutex>* lock,
                                      std::chrono::steady_clock::time_point deadline,
                                      std::optional<int64_t> ahead) {
  while (!control_->cancelled) {
    if (current_->done()) return Got::kEpochEnd;
    current_->ThrowIfBroken();
    Pump(ahead);
    if (current_->ready()) {
      Result<Batch> arena = current_->Take();
      Pump(ahead);
      control_->ReportBytes(context_->counters.get());
      if (!arena.ok()) {
        ++num_taken_;
        return arena.status();
      }
      context_->counters->Add(Count::kBytes, arena->num_bytes);
      slices_ = BatchSlices(*std::move(arena), &context_->layout.parts,
                            context_->options.delivery.batch_size);
      slices_.Skip(std::exchange(to_drop_, 0));
      return Got::kBatch;
    }
    ROWFEED_RETURN_NOT_OK(current_->TakeFailure());
    if (control_->changed.wait_until(*lock, deadline) == std::cv_status::timeout &&
        !current_->has_news()) {
      return Got::kTimeout;
    }
  }
  return Status(StatusCode::kCancelled, "the stream was closed");
}

bool Engine::Drop(int64_t count) {
  const int64_t of_slices = std::min(count, slices_.num_left());
  const int64_t per_arena = current_->delivery().batches_per_arena();
  const int64_t behind = to_drop_ + count - of_slices;
  const int64_t num_arenas = behind / per_arena;
  const bool is_dropped = OrCancel([&](std::unique_lock<std::mutex>* lock) {
    control_->changed.wait(*lock, [&] {
      return current_->num_droppable() >= num_arenas || !current_->is_making() ||
             !current_->MayHold(num_arenas) || control_->cancelled;
    });
    if (current_->num_droppable() < num_arenas) return false;
    for (int64_t i = 0; i < num_arenas; ++i) current_->DropNext();
    return true;
  });
  if (!is_dropped) return false;
  slices_.Skip(of_slices);
  to_drop_ = behind % per_arena;
  num_taken_ += count;
  return true;
}

}  // namespace rowfeed
