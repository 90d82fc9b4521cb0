// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/epoch_pipeline.h"

#include <algorithm>
#include <utility>

#include "core/batch/batch_builder.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/pipeline/make_arena_maker.h"

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
      control_(std::move(control)),
      epoch_(epoch),
      start_row_(start_row),
      first_position_(first_position),
      plan_(PlanOf(*context_, epoch)),
      delivery_(plan_.get(), start_row, context_->options.delivery,
                context_->options.max_batches_per_arena),
      arena_bytes_(
          BatchBuilder::ArenaBytes(context_->layout.parts, delivery_.arena_rows())),
      schedule_(&delivery_),
      bytes_(control_, context_->window_budget),
      tasks_(context_.get(), control_.get(), this),
      maker_(MakeArenaMaker(context_.get(), &delivery_, epoch,
                            first_position_ - start_row_, &pending_, &bytes_)),
      stages_(context_.get(), control_.get(), &bytes_, &tasks_,
              [this](const std::shared_ptr<LoadingWindow>& loading) {
                EndUse(loading);
                Pump(leading_);
              }),
      stop_clock_(context_->counters.get()) {}

void EpochPipeline::Pump(bool leading) {
  leading_ = leading;
  AdmitWindows(leading);
  CompleteArenas(/*goes_on=*/false);
}

void EpochPipeline::AdmitWindows(bool leading) {
  while (!schedule_.done()) {
    if (!next_) return MakeNext();
    LoadingWindow& loading = *next_->loading;
    const bool fits =
        bytes_.HasRoomFor(loading.held_bytes + loading.load.reader().fetched_bytes() +
                          next_->arena_bytes);
    const bool stops = !fits && !(leading && IsNeeded(loading));
    stop_clock_.Set(stops);
    if (stops) return;
    if (!fits) context_->counters->Add(Count::kOverBudget, 1);
    schedule_.Pop();
    Admit(*std::exchange(next_, std::nullopt));
  }
}

bool EpochPipeline::IsNeeded(const LoadingWindow& loading) const {
  return loading.first_row < delivery_.ArenaEnd(pending_.num_taken());
}

void EpochPipeline::MakeNext() {
  if (is_making_ || !failure_.ok()) return;
  // Where windows make arenas, only their admission adds any, and it waits for this
  // window. So the first arena that the window must make is known now.
  const int64_t first_arena = pending_.end();
  auto made = std::make_shared<NextWindow>();
  tasks_.Submit(
      context_->tasks, admitted_position_, /*num_tasks=*/1,
      [this, made, visit = schedule_.next(), first_arena,
       spent = std::exchange(spent_, {})](size_t) mutable {
        spent.clear();
        *made = MakeWindow(visit, first_arena);
        return Status();
      },
      [this, made](Status status) {
        is_making_ = false;
        control_->changed.notify_all();
        if (status.ok()) {
          next_ = std::move(*made);
          Pump(leading_);
        } else if (leading_) {  // a read-ahead is tried again without a report
          failure_ = std::move(status);
        }
      });
  is_making_ = true;
}

EpochPipeline::NextWindow EpochPipeline::MakeWindow(const WindowVisit& visit,
                                                    int64_t first_arena) const {
  std::vector<Place> places;
  std::vector<Run> runs = delivery_.Runs(visit, &places);
  const size_t num_runs = runs.size();
  NextWindow window;
  window.loading.reset(
      new LoadingWindow{.load = WindowLoad(context_, visit, std::move(runs),
                                           std::move(places), maker_->make_sink()),
                        .position = first_position_ + visit.first_row - start_row_,
                        .first_row = visit.first_row,
                        .held_bytes = 0,
                        .builders = {},
                        .status = {},
                        .uses_left = num_runs + 1});
  window.loading->held_bytes = window.loading->load.sink().HeldBytes();
  window.arenas = maker_->MakeFor(window.loading, first_arena);
  for (const auto& arena : window.arenas) window.arena_bytes += arena->bytes;
  return window;
}

void EpochPipeline::Admit(NextWindow window) {
  const std::shared_ptr<LoadingWindow>& loading = window.loading;
  admitted_position_ = loading->position;
  maker_->Admit(loading, std::move(window.arenas));
  bytes_.Add(loading->held_bytes);
  stages_.Start(loading);
}

bool EpochPipeline::IsLoaded(const PendingArena& arena) const {
  const bool are_admitted =
      schedule_.done() || schedule_.next().first_row >= arena.end_row;
  return are_admitted && arena.has_loaded_windows();
}

void EpochPipeline::CompleteArenas(bool goes_on) {
  const size_t ahead = context_->arenas_ahead;
  const size_t most = maker_->may_assemble() ? std::max(ahead, kMostAhead) : ahead;
  // The memory plan has room for these arenas of one epoch, the one that is consumed.
  const size_t planned = leading_ ? ahead : 0;
  const size_t begins_at = most - std::min(most, kTogether);
  maker_->MakePending(static_cast<int64_t>(most), all_admitted());
  const auto num_looked_at = std::min(most, static_cast<size_t>(pending_.size()));
  for (size_t i = 0; i < num_looked_at; ++i) {
    const auto& arena = pending_.at(pending_.num_taken() + static_cast<int64_t>(i));
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
    if (arena->status.ok() && maker_->NeedsAssembly(*arena)) {
      if (is_extra && (bytes_.is_spent() || (!goes_on && i >= begins_at))) return;
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
  maker_->BeginAssembly(arena.get());
  // Else arenas that are assembled side by side, in two epochs, would all fit into the
  // same room. EndAssembly knows how much they take.
  bytes_.Add(context_->arena_elements);
  arena->bytes += context_->arena_elements;
  tasks_.Submit(
      context_->tasks, arena->position, /*num_tasks=*/1,
      [arena, counters = context_->counters.get()](size_t) {
        return arena->Assemble(counters);
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
  bytes_.Add(bytes - arena->bytes);
  arena->bytes = bytes;
  CompleteArenas(/*goes_on=*/true);
}

void EpochPipeline::EndUse(std::shared_ptr<LoadingWindow> loading) {
  if (--loading->uses_left > 0) return;
  const int64_t bytes = loading->held_bytes + loading->fetched_bytes;
  tasks_.Submit(
      context_->tasks, TaskPool::kFirst, /*num_tasks=*/1,
      [window = std::move(loading)](size_t) mutable {
        window.reset();
        return Status();
      },
      [this, bytes](const Status&) {
        bytes_.Add(-bytes);
        Pump(leading_);
      });
}

void EpochPipeline::ReleaseWindows(PendingArena* arena) {
  for (auto& [loading, run] : arena->windows) EndUse(std::move(loading));
  arena->windows.clear();
}

void EpochPipeline::ReadAhead(int64_t epoch) {
  if (ahead_) return ahead_->Pump(/*leading=*/false);
  if (is_planning_) return;
  auto made = std::make_shared<std::shared_ptr<EpochPipeline>>();
  tasks_.Submit(
      context_->tasks, admitted_position_, /*num_tasks=*/1,
      [this, made, epoch](size_t) {
        *made = std::make_shared<EpochPipeline>(
            context_, control_, epoch,
            /*start_row=*/0,
            first_position_ + delivery_.ArenaEnd(delivery_.num_arenas()) - start_row_);
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
  tasks_.Leave();
  bytes_.Forget();
  return std::exchange(ahead_, nullptr);
}

Result<Batch> EpochPipeline::Take() {
  std::shared_ptr<PendingArena> arena = pending_.Take();
  bytes_.Add(-arena->bytes);
  ROWFEED_RETURN_NOT_OK(arena->status);
  ROWFEED_RETURN_NOT_OK(arena->builder->Allocate());
  Batch batch = arena->builder->Finish();
  spent_.push_back(std::move(arena));
  return batch;
}

int64_t EpochPipeline::num_droppable() const {
  const int64_t num_whole = schedule_.done()
                                ? delivery_.num_arenas()
                                : delivery_.NumArenasBefore(schedule_.next().first_row);
  return num_whole - pending_.num_taken();
}

void EpochPipeline::DropNext() {
  maker_->MakePending(1, all_admitted());
  const std::shared_ptr<PendingArena> arena = pending_.Take();
  bytes_.Add(-arena->bytes);
  arena->dropped = true;
  // While the arena is assembled, its task still reads the windows. It releases them at
  // its end.
  if (arena->stage == PendingArena::Stage::kLoading) ReleaseWindows(arena.get());
}

}  // namespace rowfeed
