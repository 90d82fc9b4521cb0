// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_EPOCH_PIPELINE_H_
#define ROWFEED_CORE_STREAM_PIPELINE_EPOCH_PIPELINE_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "core/batch/batch.h"
#include "core/batch/batch_builder.h"
#include "core/plan/delivery.h"
#include "core/plan/stream_plan.h"
#include "core/status.h"
#include "core/stopwatch.h"
#include "core/stream/stats/counters.h"
#include "core/stream/window/window_load.h"

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
  // Reads ahead what it may of the epoch to come. Its pipeline is made in a task, since
  // that takes a while where there are many row groups.
  void ReadAhead(int64_t epoch);

  bool done() const { return num_taken_ == delivery_.num_arenas(); }
  // The next arena can be taken without waiting.
  bool ready() const;
  Result<Batch> Take();
  // Why the next window could not be made, once; then it is tried again.
  Status TakeFailure() { return std::exchange(failure_, {}); }
  bool has_news() const { return ready() || !failure_.ok() || broken_; }
  // Throws what was thrown where a task ended: it is of no more use.
  void ThrowIfBroken() const {
    if (broken_) std::rethrow_exception(broken_);
  }
  // Whether the budget may have room for so many arenas at once.
  bool MayHold(int64_t num_arenas) const;
  // A window is being made: soon there may be more to drop.
  bool is_making() const { return is_making_ && !is_left(); }
  // How many arenas can be dropped: those whose windows are all loaded or on their way.
  int64_t num_droppable() const;
  void DropNext();

  // Nothing more of it is wanted: its tasks end, and its memory no longer counts.
  // Returns the pipeline of what was read ahead, if there is one.
  std::shared_ptr<EpochPipeline> Leave();

 private:
  // A window on its way.
  struct Loading {
    WindowLoad load;
    int64_t position;
    int64_t first_row;
    int64_t held_bytes;
    int64_t fetched_bytes = 0;  // as counted in control->bytes_in_flight
    std::vector<std::shared_ptr<BatchBuilder>> builders;  // of its runs; until prepared
    size_t tasks_left = 0;                                // of the stage it is in
    size_t checks_left = 0;                               // that run beside these
    bool is_over = false;                                 // all of its stages
    Status status;                         // the first error of its tasks
    Status check_status = {};              // and of its checks, the reason for others
    std::atomic<bool> has_failed = false;  // its tasks need not go on
    bool is_loaded = false;
    size_t uses_left;  // by its runs' arenas and by its own loading
  };

  struct PendingArena {
    enum class Stage { kLoading, kAssembling, kReady };

    std::shared_ptr<BatchBuilder> builder;  // of a mixture, from its assembly on
    int64_t index;
    int64_t position;
    int64_t end_row;    // no window from this row on touches it
    int64_t bytes = 0;  // counted in control->bytes_in_flight once it is pending
    Stage stage = Stage::kLoading;
    bool dropped = false;
    // The windows that are admitted, and which of their runs is for this arena.
    std::vector<std::pair<std::shared_ptr<Loading>, size_t>> windows;
    Status status;
  };

  // Of a mixture: a window of which runs are for arenas that are not pending yet.
  struct Waiting {
    int64_t arena() const { return loading->load.runs()[next_run].arena; }
    bool done() const { return next_run == loading->load.runs().size(); }
    bool operator<(const Waiting& other) const { return arena() > other.arena(); }

    std::shared_ptr<Loading> loading;
    size_t next_run;
  };

  // A window and, but of a mixture, the arenas up to its last one that are not there
  // yet.
  struct NextWindow {
    std::shared_ptr<Loading> loading;
    std::vector<std::shared_ptr<PendingArena>> arenas;
    int64_t arena_bytes = 0;
  };

  // epoch_windows.cc: how windows get in.
  void AdmitWindows(bool leading);
  // Makes next_ in a task, before the window that was admitted last is decoded: it may
  // have hundreds of arenas.
  void MakeNext();
  NextWindow MakeWindow(const WindowVisit& visit, int64_t first_arena) const;
  std::shared_ptr<PendingArena> MakeArena(int64_t index) const;
  void MakeBuilder(PendingArena* arena) const;
  // Of a mixture: makes arenas until so many are pending. A source that comes seldom
  // has rows in millions of them.
  void MakePending(int64_t count);
  // The arena takes a run of the window.
  void Connect(const std::shared_ptr<Loading>& loading, size_t run,
               PendingArena* arena) const;
  // Counts how long the budget has let no window in.
  void CountStop(bool is_stopped);
  bool IsNeeded(const Loading& loading) const;
  // Whether no window is to come that the arena needs.
  bool HasWindows(const PendingArena& arena) const {
    return schedule_.done() || schedule_.next().first_row >= arena.end_row;
  }
  void Admit(NextWindow window);
  // What it has fetched, or will, from now on.
  void CountFetched(Loading* loading, int64_t bytes);
  // The stages of a window, each of tasks that run at once: fetch, filter, prepare,
  // decode and gather; then what was fetched is dropped. What was fetched is checked
  // beside the others.
  void Fetch(const std::shared_ptr<Loading>& loading);
  void Check(const std::shared_ptr<Loading>& loading);
  void Filter(const std::shared_ptr<Loading>& loading);
  void Prepare(const std::shared_ptr<Loading>& loading);
  void Decode(const std::shared_ptr<Loading>& loading);
  void DropFetched(const std::shared_ptr<Loading>& loading);
  // Calls work(0), …, work(num_tasks - 1) on the pool, then `next` with the lock; after
  // an error DropFetched.
  void RunStage(const std::shared_ptr<Loading>& loading, TaskPool* pool,
                size_t num_tasks, std::function<Status(size_t)> work,
                const std::function<void()>& next);
  // When its stages are over, and when its checks are.
  void EndLoading(const std::shared_ptr<Loading>& loading);

  // epoch_pipeline.cc: how arenas get out.
  // `goes_on`: of a task that has assembled one.
  void CompleteArenas(bool goes_on);
  // Adds to what is in flight.
  void CountBytes(int64_t bytes);
  bool is_left() const { return is_left_ || broken_ || control_->cancelled; }
  bool IsBudgetSpent() const {
    return control_->bytes_in_flight >= context_->options.memory_budget_bytes;
  }
  void StartAssembly(const std::shared_ptr<PendingArena>& arena);
  void EndAssembly(const std::shared_ptr<PendingArena>& arena, Status status);
  bool IsLoaded(const PendingArena& arena) const;
  // One more than the last arena that is pending.
  int64_t end_arena() const { return num_taken_ + std::ssize(pending_); }
  // One use of the window has ended; after the last a task frees the window's blocks:
  // it takes a while.
  void EndUse(std::shared_ptr<Loading> loading);
  void ReleaseWindows(PendingArena* arena);
  // Runs work(0), …, work(num_tasks - 1) on `pool` without the lock, and `end` with it
  // after each; neither if it is left.
  void Submit(TaskPool* pool, int64_t position, size_t num_tasks,
              std::function<Status(size_t)> work, std::function<void(Status)> end);

  const std::shared_ptr<const StreamContext> context_;
  // Of a mixture: windows stay as blocks, and arenas are made when all theirs are
  // there.
  const bool holds_windows_;
  // Whose rows take turns in batches, as they were gathered; of a mixture they were
  // not.
  const int64_t own_lanes_;
  // Whether something may be left to do for a batch when all its windows are loaded.
  const bool needs_assembly_;
  const std::shared_ptr<StreamControl> control_;
  const int64_t epoch_;
  const int64_t start_row_;
  const int64_t first_position_;
  const std::shared_ptr<const StreamPlan> plan_;
  const Delivery delivery_;
  const int64_t arena_bytes_;  // of a full one, as far as is known before it is made
  WindowSchedule schedule_;
  int64_t admitted_position_ = first_position_;  // of the last window
  std::optional<NextWindow> next_;  // of schedule_.next(), not yet admitted
  bool is_making_ = false;          // next_
  Status failure_;                  // of making it
  std::exception_ptr broken_;
  int64_t num_taken_ = 0;
  int64_t bytes_in_flight_ = 0;  // its share of control_'s
  std::shared_ptr<EpochPipeline> ahead_;
  bool is_planning_ = false;  // ahead_
  bool is_left_ = false;
  bool leading_ = false;
  std::optional<Stopwatch> stopped_;  // while the budget lets no window in
  // Arenas num_taken_, num_taken_ + 1, ...
  std::deque<std::shared_ptr<PendingArena>> pending_;
  std::priority_queue<Waiting> waiting_;  // the first arena on top
  // Those taken, until threads like the one that made them free them.
  std::vector<std::shared_ptr<PendingArena>> spent_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_EPOCH_PIPELINE_H_
