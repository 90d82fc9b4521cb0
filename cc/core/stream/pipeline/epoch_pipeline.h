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

// What the pipelines of one stream share: the mutex of all their state, the consumer's
// wake-up, and the count of bytes that the memory budget limits.
struct StreamControl {
  std::mutex mutex;
  std::condition_variable changed;  // a batch is ready, a task has ended, or cancelled
  // `mutex` guards the members below.
  int64_t bytes_in_flight = 0;  // memory of windows, and of batches not yet handed over
  int running_tasks = 0;
  int64_t reported_bytes = 0;
  std::atomic<bool> cancelled = false;  // also read without the mutex

  void ReportBytes(Counters* counters) {
    if (bytes_in_flight == reported_bytes) return;
    counters->AddBytesInFlight(bytes_in_flight - reported_bytes);
    reported_bytes = bytes_in_flight;
  }
};

// Makes the arenas of one epoch, in order, from one row on. Windows are admitted while
// the memory budget lasts. The thread pool loads them, and their arenas are completed
// and handed over. An arena is the memory of one batch, or of many small ones. Every
// public member is called with control->mutex held.
class EpochPipeline : public std::enable_shared_from_this<EpochPipeline> {
 public:
  // `first_position`: the position of the first task in the pool's order, after those
  // of the epoch before.
  EpochPipeline(std::shared_ptr<const StreamContext> context,
                std::shared_ptr<StreamControl> control, int64_t epoch,
                int64_t start_row, int64_t first_position);

  int64_t epoch() const { return epoch_; }
  const Delivery& delivery() const { return delivery_; }
  int64_t num_taken() const { return num_taken_; }
  int64_t end_position() const;

  // Starts all work that can be started. `leading`: the consumer waits for this epoch,
  // so the window that the next arena needs is admitted even beyond the budget.
  // Otherwise the epoch is read ahead, within the budget.
  void Pump(bool leading);
  // Whether every window is loaded or being loaded, so that the next epoch may be read
  // ahead.
  bool all_admitted() const { return schedule_.done(); }
  // Reads the next epoch ahead as far as the budget allows. A task makes its pipeline,
  // because that takes a while if there are many row groups.
  void ReadAhead(int64_t epoch);

  bool done() const { return num_taken_ == delivery_.num_arenas(); }
  // Whether the next arena can be taken without waiting.
  bool ready() const;
  Result<Batch> Take();
  // Returns why the next window could not be made, and forgets it. The window is then
  // tried again.
  Status TakeFailure() { return std::exchange(failure_, {}); }
  bool has_news() const { return ready() || !failure_.ok() || broken_; }
  // Rethrows what was thrown at the end of a task. The pipeline must not be used after
  // that.
  void ThrowIfBroken() const {
    if (broken_) std::rethrow_exception(broken_);
  }
  // Whether the budget may have room for `num_arenas` arenas at once.
  bool MayHold(int64_t num_arenas) const;
  // Whether a window is being made, so that there may soon be more arenas to drop.
  bool is_making() const { return is_making_ && !is_left(); }
  // Returns how many arenas can be dropped: those whose windows are all loaded or being
  // loaded.
  int64_t num_droppable() const;
  void DropNext();

  // Gives this pipeline up: its tasks end, and its memory no longer counts. Returns the
  // pipeline of the epoch that was read ahead, if there is one.
  std::shared_ptr<EpochPipeline> Leave();

 private:
  // A window from its admission until its last arena is complete.
  struct Loading {
    WindowLoad load;
    int64_t position;
    int64_t first_row;
    int64_t held_bytes;
    int64_t fetched_bytes = 0;  // its part of control->bytes_in_flight
    // The builder of the arena of each run. Prepare takes them.
    std::vector<std::shared_ptr<BatchBuilder>> builders;
    size_t tasks_left = 0;     // unfinished tasks of the current stage
    size_t checks_left = 0;    // unfinished checks, which run beside the stages
    bool is_over = false;      // all stages have ended
    Status status;             // the first error of a task
    Status check_status = {};  // the first error of a check; it explains those of tasks
    std::atomic<bool> has_failed = false;  // the remaining tasks need not run
    bool is_loaded = false;
    size_t uses_left;  // users left: the arena of each run, and the loading itself
  };

  // An arena that is not handed over yet.
  struct PendingArena {
    enum class Stage { kLoading, kAssembling, kReady };

    // In a mixture, made when its assembly begins.
    std::shared_ptr<BatchBuilder> builder;
    int64_t index;
    int64_t position;
    int64_t end_row;    // windows from this row on have no rows for this arena
    int64_t bytes = 0;  // part of control->bytes_in_flight once it is pending
    Stage stage = Stage::kLoading;
    bool dropped = false;
    // The admitted windows that have rows for this arena, and which of their runs has
    // them.
    std::vector<std::pair<std::shared_ptr<Loading>, size_t>> windows;
    Status status;
  };

  // Mixtures only: a window with runs for arenas that are not pending yet.
  struct Waiting {
    int64_t arena() const { return loading->load.runs()[next_run].arena; }
    bool done() const { return next_run == loading->load.runs().size(); }
    bool operator<(const Waiting& other) const { return arena() > other.arena(); }

    std::shared_ptr<Loading> loading;
    size_t next_run;
  };

  // The window to admit next and, except in mixtures, all arenas up to its last one
  // that do not exist yet.
  struct NextWindow {
    std::shared_ptr<Loading> loading;
    std::vector<std::shared_ptr<PendingArena>> arenas;
    int64_t arena_bytes = 0;
  };

  // The functions below bring windows into the pipeline. They are in epoch_windows.cc.
  void AdmitWindows(bool leading);
  // Makes next_ in a task, because a window may have hundreds of arenas. The task comes
  // before the decoding of the window that was admitted last.
  void MakeNext();
  NextWindow MakeWindow(const WindowVisit& visit, int64_t first_arena) const;
  std::shared_ptr<PendingArena> MakeArena(int64_t index) const;
  void MakeBuilder(PendingArena* arena) const;
  // Mixtures only: makes arenas until `count` of them are pending. Not for all rows of
  // a window: a source with a small weight has rows in millions of arenas.
  void MakePending(int64_t count);
  // Connects an arena with the run of a window that has rows for it.
  void Connect(const std::shared_ptr<Loading>& loading, size_t run,
               PendingArena* arena) const;
  // Counts for how long the budget has admitted no window. `is_stopped`: whether this
  // is so now.
  void CountStop(bool is_stopped);
  // Whether the window has rows for the next arena to be taken.
  bool IsNeeded(const Loading& loading) const;
  // Whether all windows with rows for the arena are admitted.
  bool HasWindows(const PendingArena& arena) const {
    return schedule_.done() || schedule_.next().first_row >= arena.end_row;
  }
  void Admit(NextWindow window);
  // Sets how many fetched bytes of the window count in the budget from now on.
  void CountFetched(Loading* loading, int64_t bytes);
  // A window is loaded in stages: fetch, filter, prepare, decode and gather, drop what
  // was fetched. The tasks of one stage run concurrently. What was fetched is checked
  // beside the later stages.
  void Fetch(const std::shared_ptr<Loading>& loading);
  void Check(const std::shared_ptr<Loading>& loading);
  void Filter(const std::shared_ptr<Loading>& loading);
  void Prepare(const std::shared_ptr<Loading>& loading);
  void Decode(const std::shared_ptr<Loading>& loading);
  void DropFetched(const std::shared_ptr<Loading>& loading);
  // Calls work(0), …, work(num_tasks - 1) on the pool, then `next` with the mutex held.
  // After an error, calls DropFetched rather than `next`.
  void RunStage(const std::shared_ptr<Loading>& loading, TaskPool* pool,
                size_t num_tasks, std::function<Status(size_t)> work,
                const std::function<void()>& next);
  // Called when all stages have ended and when all checks have. Only the later call has
  // an effect.
  void EndLoading(const std::shared_ptr<Loading>& loading);

  // The functions below bring arenas out of the pipeline. They are in
  // epoch_pipeline.cc.

  // Completes arenas whose windows are loaded. `goes_on`: a task that has assembled an
  // arena calls it, and so can assemble another.
  void CompleteArenas(bool goes_on);
  // Adds to the bytes in flight of this pipeline and of the stream.
  void CountBytes(int64_t bytes);
  bool is_left() const { return is_left_ || broken_ || control_->cancelled; }
  bool IsBudgetSpent() const {
    return control_->bytes_in_flight >= context_->options.memory_budget_bytes;
  }
  void StartAssembly(const std::shared_ptr<PendingArena>& arena);
  void EndAssembly(const std::shared_ptr<PendingArena>& arena, Status status);
  bool IsLoaded(const PendingArena& arena) const;
  // The index of the first arena that is not pending yet.
  int64_t end_arena() const { return num_taken_ + std::ssize(pending_); }
  // Ends one use of a window. After the last use, a task frees the window's blocks,
  // because that takes a while.
  void EndUse(std::shared_ptr<Loading> loading);
  void ReleaseWindows(PendingArena* arena);
  // Runs work(0), …, work(num_tasks - 1) on `pool` without the mutex, and after each of
  // them `end` with it. Once the pipeline is given up, it runs neither.
  void Submit(TaskPool* pool, int64_t position, size_t num_tasks,
              std::function<Status(size_t)> work, std::function<void(Status)> end);

  const std::shared_ptr<const StreamContext> context_;
  // Whether the stream is a mixture: windows then stay as blocks, and an arena is made
  // when all its windows are loaded.
  const bool holds_windows_;
  // Number of lanes whose rows alternate within a batch. Always 1 for a mixture, whose
  // batches are gathered in their final order.
  const int64_t own_lanes_;
  // Whether a batch may need more work after all its windows are loaded.
  const bool needs_assembly_;
  const std::shared_ptr<StreamControl> control_;
  const int64_t epoch_;
  const int64_t start_row_;
  const int64_t first_position_;
  const std::shared_ptr<const StreamPlan> plan_;
  const Delivery delivery_;
  const int64_t arena_bytes_;  // size of a full arena, before units are known
  WindowSchedule schedule_;
  int64_t admitted_position_ = first_position_;  // position of the window admitted last
  std::optional<NextWindow> next_;  // the window schedule_.next(), not yet admitted
  bool is_making_ = false;          // whether a task makes next_
  Status failure_;                  // why next_ could not be made
  std::exception_ptr broken_;
  int64_t num_taken_ = 0;
  int64_t bytes_in_flight_ = 0;  // this pipeline's part of control_->bytes_in_flight
  std::shared_ptr<EpochPipeline> ahead_;
  bool is_planning_ = false;  // whether a task makes ahead_
  bool is_left_ = false;
  bool leading_ = false;
  std::optional<Stopwatch> stopped_;  // runs while the budget admits no window
  // The pending arenas: number num_taken_, num_taken_ + 1, ...
  std::deque<std::shared_ptr<PendingArena>> pending_;
  std::priority_queue<Waiting> waiting_;  // on top: the window with the earliest arena
  // Arenas that were taken. A pool thread, like the one that made them, frees them.
  std::vector<std::shared_ptr<PendingArena>> spent_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_EPOCH_PIPELINE_H_
