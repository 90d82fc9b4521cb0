// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epoch_pipeline.h"

#include <algorithm>
#include <limits>

#include "core/stream/guarded.h"
#include "core/stream/mixture_options.h"

namespace rowfeed {
namespace {

// A thread that could assemble may be busy with a column of the next window for a slice
// of the CPU's time, in which a consumer takes this many small batches.
constexpr size_t kMostAhead = 32;
// Memory that is no longer wanted goes before any work.
constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();

std::shared_ptr<const StreamPlan> PlanOf(const StreamContext& context, int64_t epoch) {
  std::vector<EpochRows> rows;
  rows.reserve(context.sources.size());
  for (const StreamSource& source : context.sources) rows.push_back(source.rows);
  return PlanEpoch(context.options, std::move(rows), epoch);
}

}  // namespace

// A window on its way.
struct EpochPipeline::Loading {
  WindowLoad load;
  int64_t position;
  int64_t first_row;
  int64_t held_bytes;
  int64_t fetched_bytes;  // as counted in control->bytes_in_flight
  std::vector<std::shared_ptr<BatchBuilder>> builders;  // until it is prepared
  size_t tasks_left;                                    // of the stage it is in
  size_t runs_left;
  Status status;  // the first error of its tasks
};

struct EpochPipeline::PendingArena {
  enum class Stage { kLoading, kAssembling, kReady };

  std::shared_ptr<BatchBuilder> builder;  // of a mixture, from its assembly on
  int64_t index;
  int64_t position;
  int64_t end_row;    // no window from this row on touches it
  int64_t bytes = 0;  // counted in control->bytes_in_flight
  Stage stage = Stage::kLoading;
  bool dropped = false;
  int num_loading = 0;
  // The loaded windows and which of their runs is for this arena.
  std::vector<std::pair<std::shared_ptr<Loading>, size_t>> contributions;
  Status status;
};

EpochPipeline::EpochPipeline(std::shared_ptr<const StreamContext> context,
                             std::shared_ptr<StreamControl> control, int64_t epoch,
                             int64_t start_row, int64_t first_position)
    : context_(std::move(context)),
      holds_windows_(context_->options.mixture != nullptr),
      own_lanes_(holds_windows_ ? 1 : context_->options.own_lanes()),
      needs_assembly_(holds_windows_ || own_lanes_ > 1 ||
                      context_->layout.has_variable_parts() ||
                      context_->layout.has_stacks()),
      control_(std::move(control)),
      epoch_(epoch),
      start_row_(start_row),
      first_position_(first_position),
      plan_(PlanOf(*context_, epoch)),
      delivery_(plan_.get(), start_row, context_->options.delivery,
                context_->options.max_batches_per_arena),
      arena_bytes_(
          BatchBuilder::ArenaBytes(context_->layout.parts, delivery_.arena_rows())),
      schedule_(&delivery_) {}

int64_t EpochPipeline::end_position() const {
  return first_position_ + delivery_.ArenaEnd(delivery_.num_arenas()) - start_row_;
}

void EpochPipeline::Pump(bool leading) {
  leading_ = leading;
  AdmitWindows(leading);
  CompleteArenas();
}

void EpochPipeline::AdmitWindows(bool leading) {
  while (!schedule_.done()) {
    if (!next_) next_ = MakeLoading();
    const int64_t new_arenas = holds_windows_ ? 0
                                              : next_->load.runs().back().arena + 1 -
                                                    num_taken_ - num_pending();
    const int64_t bytes = next_->held_bytes + next_->load.fetched_bytes() +
                          std::max<int64_t>(new_arenas, 0) * arena_bytes_;
    const bool fits =
        control_->bytes_in_flight + bytes <= context_->options.memory_budget_bytes;
    if (!fits && !(leading && IsNeeded(*next_))) return CountStop(true);
    if (!fits) context_->counters->Add(Count::kOverBudget, 1);
    schedule_.Pop();
    Admit(std::exchange(next_, nullptr));
  }
  CountStop(false);
  CreateArenas(delivery_.num_arenas());
}

void EpochPipeline::CountStop(bool is_stopped) {
  if (stopped_) {
    context_->counters->Add(Count::kStopped, stopped_->Lap());
    if (!is_stopped) stopped_.reset();
  } else if (is_stopped) {
    stopped_.emplace();
  }
}

bool EpochPipeline::IsNeeded(const Loading& loading) const {
  return pending_.empty() || loading.first_row < pending_.front()->end_row;
}

std::shared_ptr<EpochPipeline::Loading> EpochPipeline::MakeLoading() {
  const WindowVisit& visit = schedule_.next();
  std::vector<Place> places;
  std::vector<Run> runs = delivery_.Runs(visit, &places);
  const size_t num_runs = runs.size();
  auto loading = std::make_shared<Loading>(
      Loading{.load = WindowLoad(context_, visit, std::move(runs), std::move(places)),
              .position = first_position_ + visit.first_row - start_row_,
              .first_row = visit.first_row,
              .held_bytes = 0,
              .fetched_bytes = 0,
              .builders = {},
              .tasks_left = 0,
              .runs_left = num_runs,
              .status = {}});
  loading->held_bytes = loading->load.HeldBytes();
  return loading;
}

void EpochPipeline::CreateArenas(int64_t end) {
  for (int64_t k = num_taken_ + num_pending(); k < end; ++k) {
    auto arena = std::make_shared<PendingArena>();
    arena->index = k;
    arena->position = first_position_ + delivery_.ArenaEnd(k - 1) - start_row_;
    arena->end_row = delivery_.ArenaEnd(k);
    if (!holds_windows_) MakeBuilder(arena.get());
    pending_.push_back(std::move(arena));
  }
}

void EpochPipeline::MakeBuilder(PendingArena* arena) {
  const bool with_valid = context_->options.delivery.remainder == Remainder::kPad ||
                          context_->options.growth.has_value();
  const int64_t rows = delivery_.ArenaRows(arena->index);
  arena->builder = std::make_shared<BatchBuilder>(
      &context_->layout.parts, rows, delivery_.ValidRows(arena->index), with_valid,
      own_lanes_, context_->buffers);
  arena->bytes = rows == delivery_.arena_rows()
                     ? arena_bytes_
                     : BatchBuilder::ArenaBytes(context_->layout.parts, rows);
  control_->bytes_in_flight += arena->bytes;
}

void EpochPipeline::Admit(const std::shared_ptr<Loading>& loading) {
  WindowLoad& load = loading->load;
  CreateArenas(load.runs().back().arena + 1);
  std::vector<std::shared_ptr<BatchBuilder>> builders;
  for (const Run& run : load.runs()) {
    const auto& arena = pending_[run.arena - num_taken_];
    ++arena->num_loading;
    if (!holds_windows_) builders.push_back(arena->builder);
  }
  control_->bytes_in_flight += loading->held_bytes;
  CountFetched(loading.get(), load.fetched_bytes());
  loading->builders = std::move(builders);
  Fetch(loading);
}

void EpochPipeline::Fetch(const std::shared_ptr<Loading>& loading) {
  RunStage(
      loading, context_->fetches, loading->load.num_fetch_tasks(),
      [this, loading](size_t task) {
        return loading->load.RunFetchTask(task, control_->cancelled);
      },
      [this, loading] {
        CountFetched(loading.get(), loading->load.fetched_bytes());
        Filter(loading);
      });
}

void EpochPipeline::CountFetched(Loading* loading, int64_t bytes) {
  control_->bytes_in_flight += bytes - loading->fetched_bytes;
  loading->fetched_bytes = bytes;
}

void EpochPipeline::Filter(const std::shared_ptr<Loading>& loading) {
  RunStage(
      loading, context_->tasks, loading->load.num_filter_tasks(),
      [this, loading](size_t task) {
        return loading->load.RunFilterTask(task, control_->cancelled);
      },
      [this, loading] { Prepare(loading); });
}

void EpochPipeline::Prepare(const std::shared_ptr<Loading>& loading) {
  RunStage(
      loading, context_->tasks, /*num_tasks=*/1,
      [loading](size_t) { return loading->load.Prepare(std::move(loading->builders)); },
      [this, loading] { Decode(loading); });
}

void EpochPipeline::Decode(const std::shared_ptr<Loading>& loading) {
  RunStage(
      loading, context_->tasks, loading->load.num_tasks(),
      [this, loading](size_t task) {
        return loading->load.RunTask(task, control_->cancelled);
      },
      [this, loading] { EndLoading(loading); });
}

void EpochPipeline::RunStage(const std::shared_ptr<Loading>& loading, TaskPool* pool,
                             size_t num_tasks,
                             const std::function<Status(size_t)>& work,
                             const std::function<void()>& next) {
  if (num_tasks == 0) return next();
  loading->tasks_left = num_tasks;
  for (size_t task = 0; task < num_tasks; ++task) {
    Submit(
        pool, loading->position, [work, task] { return work(task); },
        [this, loading, next](const Status& status) {
          if (loading->status.ok()) loading->status = status;
          if (--loading->tasks_left > 0) return;
          loading->status.ok() ? next() : EndLoading(loading);
        });
  }
}

void EpochPipeline::EndLoading(const std::shared_ptr<Loading>& loading) {
  CountFetched(loading.get(), 0);
  loading->load.DropFetched();
  const std::vector<Run>& runs = loading->load.runs();
  for (size_t run = 0; run < runs.size(); ++run) {
    if (runs[run].arena < num_taken_) {  // dropped meanwhile
      ReleaseRun(loading);
      continue;
    }
    PendingArena& arena = *pending_[runs[run].arena - num_taken_];
    --arena.num_loading;
    if (arena.status.ok()) arena.status = loading->status;
    arena.contributions.emplace_back(loading, run);
  }
  Pump(leading_);
}

void EpochPipeline::CompleteArenas() {
  const size_t planned = context_->arenas_ahead;
  const size_t most = needs_assembly_ ? std::max(planned, kMostAhead) : planned;
  for (size_t i = 0; i < std::min(most, pending_.size()); ++i) {
    const auto& arena = pending_[i];
    // Beyond what the memory plan has room for, one at a time while the budget lasts.
    const bool is_extra = i >= planned;
    const bool loaded =
        arena->num_loading == 0 &&
        (schedule_.done() || schedule_.next().first_row >= arena->end_row);
    if (!loaded) return;
    if (is_extra && arena->stage == PendingArena::Stage::kAssembling) return;
    if (arena->stage != PendingArena::Stage::kLoading) continue;
    if (arena->status.ok() && needs_assembly_) {
      if (is_extra && IsBudgetSpent()) return;
      StartAssembly(arena);
      if (is_extra) return;
    } else {
      ReleaseContributions(arena.get());
      arena->stage = PendingArena::Stage::kReady;
    }
  }
}

void EpochPipeline::StartAssembly(const std::shared_ptr<PendingArena>& arena) {
  arena->stage = PendingArena::Stage::kAssembling;
  if (holds_windows_) MakeBuilder(arena.get());
  Submit(
      context_->tasks, arena->position,
      [arena, gathers = holds_windows_,
       counters = context_->counters.get()]() -> Status {
        const Stopwatch watch;
        int64_t column_ns = 0;  // what is counted as of columns
        ROWFEED_RETURN_NOT_OK(arena->builder->Allocate());
        for (const auto& [loading, run] : arena->contributions) {
          if (!gathers) break;
          ROWFEED_RETURN_NOT_OK(
              loading->load.GatherRows(run, arena->builder.get(), &column_ns));
        }
        ROWFEED_RETURN_NOT_OK(arena->builder->AllocateUnits());
        for (const auto& [loading, run] : arena->contributions) {
          ROWFEED_RETURN_NOT_OK(
              loading->load.GatherUnits(run, arena->builder.get(), &column_ns));
        }
        arena->builder->SumLengths();
        arena->builder->InterleaveStrips();
        arena->builder->FillStacks();
        counters->Add(Count::kAssemble, watch.ns() - column_ns);
        return {};
      },
      [this, arena](Status status) { EndAssembly(arena, std::move(status)); });
}

void EpochPipeline::EndAssembly(const std::shared_ptr<PendingArena>& arena,
                                Status status) {
  ReleaseContributions(arena.get());
  arena->status = std::move(status);
  arena->stage = PendingArena::Stage::kReady;
  if (arena->dropped) return;
  const int64_t bytes = arena->builder->num_bytes();
  control_->bytes_in_flight += bytes - arena->bytes;
  arena->bytes = bytes;
  CompleteArenas();
}

void EpochPipeline::ReleaseRun(std::shared_ptr<Loading> loading) {
  if (--loading->runs_left > 0) return;
  const int64_t bytes = loading->held_bytes;
  Submit(
      context_->tasks, kFirst,
      [window = std::move(loading)]() mutable {
        window.reset();
        return Status();
      },
      [this, bytes](const Status&) {
        control_->bytes_in_flight -= bytes;
        Pump(leading_);
      });
}

void EpochPipeline::ReleaseContributions(PendingArena* arena) {
  for (auto& [loading, run] : arena->contributions) ReleaseRun(std::move(loading));
  arena->contributions.clear();
}

bool EpochPipeline::ready() const {
  return !pending_.empty() && pending_.front()->stage == PendingArena::Stage::kReady;
}

Result<Batch> EpochPipeline::Take() {
  const std::shared_ptr<PendingArena> arena = std::move(pending_.front());
  pending_.pop_front();
  ++num_taken_;
  control_->bytes_in_flight -= arena->bytes;
  ROWFEED_RETURN_NOT_OK(arena->status);
  ROWFEED_RETURN_NOT_OK(arena->builder->Allocate());
  return arena->builder->Finish();
}

void EpochPipeline::DropNext() {
  const std::shared_ptr<PendingArena> arena = std::move(pending_.front());
  pending_.pop_front();
  ++num_taken_;
  control_->bytes_in_flight -= arena->bytes;
  arena->dropped = true;
  // While it is assembled its task still reads the windows, and releases them.
  if (arena->stage == PendingArena::Stage::kLoading) ReleaseContributions(arena.get());
}

void EpochPipeline::Submit(TaskPool* pool, int64_t position,
                           std::function<Status()> work,
                           std::function<void(Status)> end) {
  auto task = [self = shared_from_this(), work = std::move(work), end = std::move(end),
               is_work = pool == context_->tasks]() mutable {
    StreamControl& control = *self->control_;
    Counters* const counters = self->context_->counters.get();
    counters->Add(Level::kQueuedTasks, -1);
    {
      const std::lock_guard lock(control.mutex);
      if (control.cancelled) return;
      ++control.running_tasks;
    }
    Status status;
    {
      // Threads that fetch are not busy: they wait.
      std::optional<TaskTimer> timer;
      if (is_work) timer.emplace(counters);
      status = RunGuarded(work);
      work = nullptr;
    }
    const std::lock_guard lock(control.mutex);
    --control.running_tasks;
    if (!control.cancelled) end(std::move(status));
    control.ReportBytes(counters);
    if (control.cancelled || self->ready()) control.changed.notify_all();
  };
  context_->counters->Add(Level::kQueuedTasks, 1);
  pool->Submit(position, std::move(task));
}

}  // namespace rowfeed
