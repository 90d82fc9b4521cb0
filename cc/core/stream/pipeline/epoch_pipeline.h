// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_EPOCH_PIPELINE_H_
#define ROWFEED_CORE_STREAM_PIPELINE_EPOCH_PIPELINE_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/batch/batch.h"
#include "core/plan/delivery.h"
#include "core/plan/stream_plan.h"
#include "core/status.h"
#include "core/stream/pipeline/arena_maker.h"
#include "core/stream/pipeline/loading_window.h"
#include "core/stream/pipeline/pending_arena.h"
#include "core/stream/pipeline/pipeline_tasks.h"
#include "core/stream/pipeline/stop_clock.h"
#include "core/stream/pipeline/stream_control.h"
#include "core/stream/pipeline/window_stages.h"
#include "core/stream/window/stream_context.h"

namespace rowfeed {

// Makes the arenas of one epoch, in order, from one row on. Windows are admitted while
// the memory budget lasts. The thread pool loads them, and their arenas are completed
// and handed over. An arena is the memory of one batch, or of many small ones. Every
// public member is called with control->mutex held.
class EpochPipeline final : public std::enable_shared_from_this<EpochPipeline>,
                            private PipelineTasks::Owner {
 public:
  // `first_position`: the position of the first task in the pool's order, after those
  // of the epoch before.
  EpochPipeline(std::shared_ptr<const StreamContext> context,
                std::shared_ptr<StreamControl> control, int64_t epoch,
                int64_t start_row, int64_t first_position);

  int64_t epoch() const { return epoch_; }
  const Delivery& delivery() const { return delivery_; }

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

  bool done() const { return pending_.num_taken() == delivery_.num_arenas(); }
  // Whether the next arena can be taken without waiting.
  bool ready() const { return pending_.is_ready(); }
  Result<Batch> Take();
  // Returns why the next window could not be made, and forgets it. The window is then
  // tried again.
  Status TakeFailure() { return std::exchange(failure_, {}); }
  bool has_news() const override {
    return ready() || !failure_.ok() || tasks_.broken();
  }
  // Rethrows what was thrown at the end of a task. The pipeline must not be used after
  // that.
  void ThrowIfBroken() const {
    if (tasks_.broken()) std::rethrow_exception(tasks_.broken());
  }
  // Whether the budget may have room for `num_arenas` arenas at once.
  bool MayHold(int64_t num_arenas) const {
    return bytes_.HasRoomFor((num_arenas - pending_.size()) * arena_bytes_);
  }
  // Whether a window is being made, so that there may soon be more arenas to drop.
  bool is_making() const { return is_making_ && !tasks_.is_left(); }
  // Returns how many arenas can be dropped: those whose windows are all loaded or being
  // loaded.
  int64_t num_droppable() const;
  void DropNext();

  // Gives this pipeline up: its tasks end, and its memory no longer counts. Returns the
  // pipeline of the epoch that was read ahead, if there is one.
  std::shared_ptr<EpochPipeline> Leave();

 private:
  // The window to admit next, and the arenas that must exist before it is loaded.
  struct NextWindow {
    std::shared_ptr<LoadingWindow> loading;
    ArenaMaker::Arenas arenas;
    int64_t arena_bytes = 0;
  };

  std::shared_ptr<const void> Self() override { return shared_from_this(); }

  // The functions below bring windows into the pipeline.
  void AdmitWindows(bool leading);
  // Makes next_ in a task, which comes before the decoding of the window that was
  // admitted last.
  void MakeNext();
  NextWindow MakeWindow(const WindowVisit& visit, int64_t first_arena) const;
  // Whether the window has rows for the next arena to be taken.
  bool IsNeeded(const LoadingWindow& loading) const;
  void Admit(NextWindow window);

  // The functions below bring arenas out of the pipeline.

  // Completes arenas whose windows are loaded. `goes_on`: a task that has assembled an
  // arena calls it, and so can assemble another.
  void CompleteArenas(bool goes_on);
  void StartAssembly(const std::shared_ptr<PendingArena>& arena);
  void EndAssembly(const std::shared_ptr<PendingArena>& arena, Status status);
  // Whether all windows with rows for the arena are admitted and loaded.
  bool IsLoaded(const PendingArena& arena) const;
  // Ends one use of a window. After the last use, a task frees the window's blocks,
  // because that takes a while.
  void EndUse(std::shared_ptr<LoadingWindow> loading);
  void ReleaseWindows(PendingArena* arena);

  const std::shared_ptr<const StreamContext> context_;
  const std::shared_ptr<StreamControl> control_;
  const int64_t epoch_;
  const int64_t start_row_;
  const int64_t first_position_;
  const std::shared_ptr<const StreamPlan> plan_;
  const Delivery delivery_;
  const int64_t arena_bytes_;  // size of a full arena, before units are known
  WindowSchedule schedule_;
  PipelineBytes bytes_;
  PipelineTasks tasks_;
  PendingArenas pending_;
  const std::unique_ptr<ArenaMaker> maker_;
  WindowStages stages_;
  int64_t admitted_position_ = first_position_;  // position of the window admitted last
  std::optional<NextWindow> next_;  // the window schedule_.next(), not yet admitted
  bool is_making_ = false;          // whether a task makes next_
  Status failure_;                  // why next_ could not be made
  std::shared_ptr<EpochPipeline> ahead_;
  bool is_planning_ = false;  // whether a task makes ahead_
  bool leading_ = false;
  StopClock stop_clock_;
  // Arenas that were taken. A pool thread, like the one that made them, frees them.
  std::vector<std::shared_ptr<PendingArena>> spent_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_EPOCH_PIPELINE_H_
