// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCH_PIPELINE_H_
#define ROWFEED_CORE_STREAM_EPOCH_PIPELINE_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/batch/batch.h"
#include "core/batch/batch_builder.h"
#include "core/plan/delivery.h"
#include "core/plan/stream_plan.h"
#include "core/status.h"
#include "core/stopwatch.h"
#include "core/stream/counters.h"
#include "core/stream/window_load.h"

namespace rowfeed {

// What the pipelines of one stream share: the lock of all their state, the wake-up of
// the consumer, and the memory budget.
struct StreamControl {
  std::mutex mutex;
  std::condition_variable changed;  // a batch got ready, a task ended, or cancelled
  // Guarded by mutex:
  int64_t bytes_in_flight = 0;  // of windows and of batches not yet handed over
  int running_tasks = 0;
  int64_t reported_bytes = 0;
  std::atomic<bool> cancelled = false;  // read without it, too

  void ReportBytes(Counters* counters) {
    if (bytes_in_flight == reported_bytes) return;
    counters->AddBytesInFlight(bytes_in_flight - reported_bytes);
    reported_bytes = bytes_in_flight;
  }
};

// The arenas of one epoch from one row on, made in order: windows are admitted while
// the budget lasts, decoded by the pool, their arenas completed and handed over. An
// arena is one batch, or many small ones. Every public member is called with
// control->mutex held.
class EpochPipeline : public std::enable_shared_from_this<EpochPipeline> {
 public:
  // `first_position`: of its tasks in the pool, behind those of the epoch before.
  EpochPipeline(std::shared_ptr<const StreamContext> context,
                std::shared_ptr<StreamControl> control, int64_t epoch,
                int64_t start_row, int64_t first_position);

  int64_t epoch() const { return epoch_; }
  const Delivery& delivery() const { return delivery_; }
  int64_t num_taken() const { return num_taken_; }
  int64_t end_position() const;

  // Starts what can be started. `leading`: the consumer waits for this epoch, so the
  // window that the next arena needs is admitted whatever the budget says; else it is
  // read ahead.
  void Pump(bool leading);
  // Every window is loaded or on its way: the next epoch may be read ahead.
  bool all_admitted() const { return schedule_.done(); }

  bool done() const { return num_taken_ == delivery_.num_arenas(); }
  // The next arena can be taken without waiting.
  bool ready() const;
  Result<Batch> Take();
  // How many arenas can be dropped: those whose windows are loaded or on their way.
  int64_t num_pending() const { return static_cast<int64_t>(pending_.size()); }
  void DropNext();

 private:
  struct Loading;
  struct PendingArena;

  void AdmitWindows(bool leading);
  // Counts how long the budget has let no window in.
  void CountStop(bool is_stopped);
  bool IsNeeded(const Loading& loading) const;
  bool IsBudgetSpent() const {
    return control_->bytes_in_flight >= context_->options.memory_budget_bytes;
  }
  void Admit(const std::shared_ptr<Loading>& loading);
  // The stages of a window, each of tasks that run at once: fetch, filter, prepare,
  // decode and gather.
  void Fetch(const std::shared_ptr<Loading>& loading);
  // What it has fetched, or will, from now on.
  void CountFetched(Loading* loading, int64_t bytes);
  void Filter(const std::shared_ptr<Loading>& loading);
  void Prepare(const std::shared_ptr<Loading>& loading);
  void Decode(const std::shared_ptr<Loading>& loading);
  // Calls work(0), …, work(num_tasks - 1) on the pool, then `next` with the lock; after
  // an error EndLoading.
  void RunStage(const std::shared_ptr<Loading>& loading, TaskPool* pool,
                size_t num_tasks, const std::function<Status(size_t)>& work,
                const std::function<void()>& next);
  void CreateArenas(int64_t end);
  // Its memory is counted from then on.
  void MakeBuilder(PendingArena* arena);
  std::shared_ptr<Loading> MakeLoading();
  void EndLoading(const std::shared_ptr<Loading>& loading);
  void CompleteArenas();
  void StartAssembly(const std::shared_ptr<PendingArena>& arena);
  void EndAssembly(const std::shared_ptr<PendingArena>& arena, Status status);
  // One run of the window is no longer wanted; after its last a task frees the window's
  // blocks: it takes a while.
  void ReleaseRun(std::shared_ptr<Loading> loading);
  void ReleaseContributions(PendingArena* arena);
  // Runs `work` on `pool` without the lock, then `end` with it; neither if cancelled.
  void Submit(TaskPool* pool, int64_t position, std::function<Status()> work,
              std::function<void(Status)> end);

  const std::shared_ptr<const StreamContext> context_;
  // Of a mixture: windows stay as blocks, and arenas are made when all theirs are
  // there.
  const bool holds_windows_;
  // Whose rows take turns in batches, as they were gathered; of a mixture they were
  // not.
  const int64_t own_lanes_;
  // Whether something is left to do for a batch when all its windows are loaded.
  const bool needs_assembly_;
  const std::shared_ptr<StreamControl> control_;
  const int64_t epoch_;
  const int64_t start_row_;
  const int64_t first_position_;
  const std::shared_ptr<const StreamPlan> plan_;
  const Delivery delivery_;
  const int64_t arena_bytes_;  // of a full one, as far as is known before it is made
  WindowSchedule schedule_;
  std::shared_ptr<Loading> next_;  // of schedule_.next(), not yet admitted
  int64_t num_taken_ = 0;
  bool leading_ = false;
  std::optional<Stopwatch> stopped_;  // while the budget lets no window in
  // Arenas num_taken_, num_taken_ + 1, ...
  std::deque<std::shared_ptr<PendingArena>> pending_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCH_PIPELINE_H_
