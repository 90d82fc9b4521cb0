// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/epoch_pipeline.h"

#include <algorithm>

#include "core/guarded.h"
#include "core/stream/epochs/plan_epoch.h"

namespace rowfeed {
namespace {

// How many small arenas are completed ahead if arenas need assembly. The thread that
// could assemble the next one may be busy for a slice of CPU time with a column of
// another window. In that time a consumer takes about this many small arenas.
constexpr size_t kMostAhead = 32;
// The assembly of arenas beyond the memory plan begins when this many are missing: to
// wake a thread for each of them would take the consumer longer than a small batch.
constexpr size_t kTogether = 16;

std::shared_ptr<const StreamPlan> PlanOf(const StreamContext& context, int64_t epoch) {
  std::vector<EpochRows> rows;
  rows.reserve(context.sources.size());
  for (const StreamSource& source : context.sources) rows.push_back(source.rows);
  return PlanEpoch(context.options, std::move(rows), epoch);
}

}  // namespace

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
  CompleteArenas(/*goes_on=*/false);
}

bool EpochPipeline::IsLoaded(const PendingArena& arena) const {
  return HasWindows(arena) &&
         std::all_of(arena.windows.begin(), arena.windows.end(),
                     [](const auto& window) { return window.first->is_loaded; });
}

void EpochPipeline::CompleteArenas(bool goes_on) {
  const size_t planned = context_->arenas_ahead;
  const size_t most = needs_assembly_ ? std::max(planned, kMostAhead) : planned;
  const size_t begins_at = most - std::min(most, kTogether);
  if (holds_windows_) MakePending(static_cast<int64_t>(most));
  for (size_t i = 0; i < std::min(most, pending_.size()); ++i) {
    const auto& arena = pending_[i];
    // Arenas beyond those that the memory plan has room for are assembled one at a
    // time, while the budget lasts. One thread goes on until all are complete. It
    // begins again when some of them have been taken.
    const bool is_extra = i >= planned;
    if (is_extra && arena->stage == PendingArena::Stage::kAssembling) return;
    if (arena->stage != PendingArena::Stage::kLoading) continue;
    if (!IsLoaded(*arena)) return;
    for (const auto& [loading, run] : arena->windows) {
      if (arena->status.ok()) arena->status = loading->status;
    }
    if (arena->status.ok() && (holds_windows_ || arena->builder->NeedsAssembly())) {
      if (is_extra && (IsBudgetSpent() || (!goes_on && i >= begins_at))) return;
      StartAssembly(arena);
      if (is_extra) return;
    } else {
      ReleaseWindows(arena.get());
      arena->stage = PendingArena::Stage::kReady;
    }
  }
}

void EpochPipeline::StartAssembly(const std::shared_ptr<PendingArena>& arena) {
  arena->stage = PendingArena::Stage::kAssembling;
  if (holds_windows_) {
    MakeBuilder(arena.get());
    CountBytes(arena->bytes);
  }
  Submit(
      context_->tasks, arena->position, /*num_tasks=*/1,
      [arena, counters = context_->counters.get()](size_t) -> Status {
        const Stopwatch watch;
        int64_t column_ns = 0;  // time that is counted in the statistics of columns
        ROWFEED_RETURN_NOT_OK(arena->builder->Allocate());
        for (const auto& [loading, run] : arena->windows) {
          ROWFEED_RETURN_NOT_OK(
              loading->load.sink().GatherRun(run, arena->builder.get(), &column_ns));
        }
        ROWFEED_RETURN_NOT_OK(arena->builder->AllocateUnits());
        for (const auto& [loading, run] : arena->windows) {
          ROWFEED_RETURN_NOT_OK(
              loading->load.sink().GatherUnits(run, arena->builder.get(), &column_ns));
        }
        arena->builder->SumLengths();
        ROWFEED_RETURN_NOT_OK(arena->builder->InterleaveStrips());
        arena->builder->FillStacks();
        counters->Add(Count::kAssemble, watch.ns() - column_ns);
        return {};
      },
      [this, arena](Status status) { EndAssembly(arena, std::move(status)); });
}

void EpochPipeline::EndAssembly(const std::shared_ptr<PendingArena>& arena,
                                Status status) {
  ReleaseWindows(arena.get());
  arena->status = std::move(status);
  arena->stage = PendingArena::Stage::kReady;
  if (arena->dropped) return;
  const int64_t bytes = arena->builder->num_bytes();
  CountBytes(bytes - arena->bytes);
  arena->bytes = bytes;
  CompleteArenas(/*goes_on=*/true);
}

void EpochPipeline::EndUse(std::shared_ptr<Loading> loading) {
  if (--loading->uses_left > 0) return;
  const int64_t bytes = loading->held_bytes + loading->fetched_bytes;
  Submit(
      context_->tasks, TaskPool::kFirst, /*num_tasks=*/1,
      [window = std::move(loading)](size_t) mutable {
        window.reset();
        return Status();
      },
      [this, bytes](const Status&) {
        CountBytes(-bytes);
        Pump(leading_);
      });
}

void EpochPipeline::ReleaseWindows(PendingArena* arena) {
  for (auto& [loading, run] : arena->windows) EndUse(std::move(loading));
  arena->windows.clear();
}

void EpochPipeline::CountBytes(int64_t bytes) {
  control_->bytes_in_flight += bytes;
  bytes_in_flight_ += bytes;
}

void EpochPipeline::ReadAhead(int64_t epoch) {
  if (ahead_) return ahead_->Pump(/*leading=*/false);
  if (is_planning_) return;
  auto made = std::make_shared<std::shared_ptr<EpochPipeline>>();
  Submit(
      context_->tasks, admitted_position_, /*num_tasks=*/1,
      [this, made, epoch](size_t) {
        *made = std::make_shared<EpochPipeline>(context_, control_, epoch,
                                                /*start_row=*/0, end_position());
        return Status();
      },
      [this, made](const Status& status) {
        is_planning_ = false;
        if (!status.ok()) return;  // the next ReadAhead tries again
        ahead_ = std::move(*made);
        ahead_->Pump(/*leading=*/false);
      });
  is_planning_ = true;
}

std::shared_ptr<EpochPipeline> EpochPipeline::Leave() {
  is_left_ = true;
  CountBytes(-bytes_in_flight_);
  return std::exchange(ahead_, nullptr);
}

bool EpochPipeline::ready() const {
  return !pending_.empty() && pending_.front()->stage == PendingArena::Stage::kReady;
}

Result<Batch> EpochPipeline::Take() {
  std::shared_ptr<PendingArena> arena = std::move(pending_.front());
  pending_.pop_front();
  ++num_taken_;
  CountBytes(-arena->bytes);
  ROWFEED_RETURN_NOT_OK(arena->status);
  ROWFEED_RETURN_NOT_OK(arena->builder->Allocate());
  Batch batch = arena->builder->Finish();
  spent_.push_back(std::move(arena));
  return batch;
}

bool EpochPipeline::MayHold(int64_t num_arenas) const {
  return control_->bytes_in_flight +
             (num_arenas - std::ssize(pending_)) * arena_bytes_ <=
         context_->options.memory_budget_bytes;
}

int64_t EpochPipeline::num_droppable() const {
  const int64_t num_whole = schedule_.done()
                                ? delivery_.num_arenas()
                                : delivery_.NumArenasBefore(schedule_.next().first_row);
  return num_whole - num_taken_;
}

void EpochPipeline::DropNext() {
  MakePending(1);
  const std::shared_ptr<PendingArena> arena = std::move(pending_.front());
  pending_.pop_front();
  ++num_taken_;
  CountBytes(-arena->bytes);
  arena->dropped = true;
  // While the arena is assembled, its task still reads the windows. It releases them at
  // its end.
  if (arena->stage == PendingArena::Stage::kLoading) ReleaseWindows(arena.get());
}

void EpochPipeline::Submit(TaskPool* pool, int64_t position, size_t num_tasks,
                           std::function<Status(size_t)> work,
                           std::function<void(Status)> end) {
  auto run = [self = shared_from_this(), work = std::move(work), end = std::move(end),
              is_work = pool == context_->tasks](size_t task) {
    StreamControl& control = *self->control_;
    Counters* const counters = self->context_->counters.get();
    counters->Add(Level::kQueuedTasks, -1);
    {
      const std::lock_guard lock(control.mutex);
      if (self->is_left()) return;
      ++control.running_tasks;
    }
    Status status;
    {
      // A thread that fetches is not busy: it waits for the network.
      std::optional<TaskTimer> timer;
      if (is_work) timer.emplace(counters);
      status = RunGuarded([&] { return work(task); });
    }
    const std::lock_guard lock(control.mutex);
    --control.running_tasks;
    try {
      if (!self->is_left()) end(std::move(status));
    } catch (...) {
      self->broken_ = std::current_exception();
    }
    control.ReportBytes(counters);
    if (self->is_left() || self->has_news()) control.changed.notify_all();
  };
  context_->counters->Add(Level::kQueuedTasks, static_cast<int64_t>(num_tasks));
  try {
    pool->Submit(position, num_tasks, std::move(run));
  } catch (...) {
    context_->counters->Add(Level::kQueuedTasks, -static_cast<int64_t>(num_tasks));
    throw;
  }
}

}  // namespace rowfeed
