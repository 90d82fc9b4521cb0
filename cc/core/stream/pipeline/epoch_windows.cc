// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// How windows get into a pipeline: they are made ahead, admitted, and loaded in stages.
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/guarded.h"
#include "core/stream/pipeline/epoch_pipeline.h"

namespace rowfeed {

void EpochPipeline::AdmitWindows(bool leading) {
  while (!schedule_.done()) {
    if (!next_) return MakeNext();
    Loading& loading = *next_->loading;
    const int64_t bytes =
        loading.held_bytes + loading.load.reader().fetched_bytes() + next_->arena_bytes;
    const bool fits =
        control_->bytes_in_flight + bytes <= context_->options.memory_budget_bytes;
    const bool stops = !fits && !(leading && IsNeeded(loading));
    CountStop(stops);
    if (stops) return;
    if (!fits) context_->counters->Add(Count::kOverBudget, 1);
    schedule_.Pop();
    Admit(*std::exchange(next_, std::nullopt));
  }
  if (holds_windows_) return;
  for (int64_t k = end_arena(); k < delivery_.num_arenas(); ++k) {
    pending_.push_back(MakeArena(k));
    CountBytes(pending_.back()->bytes);
  }
}

void EpochPipeline::MakePending(int64_t count) {
  while (std::ssize(pending_) < count && end_arena() < delivery_.num_arenas()) {
    pending_.push_back(MakeArena(end_arena()));
    PendingArena* const arena = pending_.back().get();
    CountBytes(arena->bytes);
    while (!waiting_.empty() && waiting_.top().arena() == arena->index) {
      Waiting window = waiting_.top();
      waiting_.pop();
      Connect(window.loading, window.next_run++, arena);
      if (!window.done()) waiting_.push(std::move(window));
    }
  }
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
  return loading.first_row < delivery_.ArenaEnd(num_taken_);
}

void EpochPipeline::MakeNext() {
  if (is_making_ || !failure_.ok()) return;
  // Except in a mixture, only admission adds arenas, and it waits for this window. So
  // the first arena that the window must make is known now.
  const int64_t first_arena = end_arena();
  auto made = std::make_shared<NextWindow>();
  Submit(
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
  window.loading.reset(new Loading{
      .load = WindowLoad(context_, visit, std::move(runs), std::move(places)),
      .position = first_position_ + visit.first_row - start_row_,
      .first_row = visit.first_row,
      .held_bytes = 0,
      .builders = {},
      .status = {},
      .uses_left = num_runs + 1});
  Loading& loading = *window.loading;
  loading.held_bytes = loading.load.sink().HeldBytes();
  if (holds_windows_) return window;
  loading.builders.resize(num_runs);
  for (int64_t k = first_arena; k <= loading.load.runs().back().arena; ++k) {
    window.arenas.push_back(MakeArena(k));
    window.arena_bytes += window.arenas.back()->bytes;
  }
  for (size_t run = 0; run < num_runs; ++run) {
    const int64_t arena = loading.load.runs()[run].arena - first_arena;
    if (arena >= 0) Connect(window.loading, run, window.arenas[arena].get());
  }
  return window;
}

void EpochPipeline::Connect(const std::shared_ptr<Loading>& loading, size_t run,
                            PendingArena* arena) const {
  arena->windows.emplace_back(loading, run);
  if (!holds_windows_) loading->builders[run] = arena->builder;
}

std::shared_ptr<EpochPipeline::PendingArena> EpochPipeline::MakeArena(
    int64_t index) const {
  auto arena = std::make_shared<PendingArena>();
  arena->index = index;
  arena->position = first_position_ + delivery_.ArenaEnd(index - 1) - start_row_;
  arena->end_row = delivery_.ArenaEnd(index);
  if (!holds_windows_) MakeBuilder(arena.get());
  return arena;
}

void EpochPipeline::MakeBuilder(PendingArena* arena) const {
  const bool with_valid = context_->options.delivery.remainder == Remainder::kPad ||
                          context_->options.growth.has_value();
  const int64_t rows = delivery_.ArenaRows(arena->index);
  arena->builder = std::make_shared<BatchBuilder>(
      &context_->layout.parts, rows, delivery_.ValidRows(arena->index), with_valid,
      own_lanes_, context_->buffers);
  arena->bytes = rows == delivery_.arena_rows()
                     ? arena_bytes_
                     : BatchBuilder::ArenaBytes(context_->layout.parts, rows);
}

void EpochPipeline::Admit(NextWindow window) {
  const std::shared_ptr<Loading>& loading = window.loading;
  const std::vector<Run>& runs = loading->load.runs();
  const int64_t first_arena = end_arena();
  size_t run = 0;
  for (; run < runs.size() && runs[run].arena < first_arena; ++run) {
    Connect(loading, run, pending_[runs[run].arena - num_taken_].get());
  }
  if (holds_windows_ && run < runs.size()) waiting_.push({loading, run});
  admitted_position_ = loading->position;
  pending_.insert(pending_.end(), std::make_move_iterator(window.arenas.begin()),
                  std::make_move_iterator(window.arenas.end()));
  CountBytes(window.arena_bytes + loading->held_bytes);
  CountFetched(loading.get(), loading->load.reader().fetched_bytes());
  Fetch(loading);
}

void EpochPipeline::CountFetched(Loading* loading, int64_t bytes) {
  CountBytes(bytes - loading->fetched_bytes);
  loading->fetched_bytes = bytes;
}

void EpochPipeline::Fetch(const std::shared_ptr<Loading>& loading) {
  RunStage(
      loading, context_->fetches, loading->load.reader().num_fetch_tasks(),
      [this, loading](size_t task) {
        return loading->load.reader().RunFetchTask(task, [this, &loading] {
          return control_->cancelled || loading->has_failed;
        });
      },
      [this, loading] {
        CountFetched(loading.get(), loading->load.reader().fetched_bytes());
        Check(loading);
        Filter(loading);
      });
}

void EpochPipeline::Check(const std::shared_ptr<Loading>& loading) {
  const size_t num_checks = loading->load.reader().num_checks();
  if (num_checks == 0) return;
  loading->checks_left = num_checks;
  loading->check_status = RunGuarded([&] {
    Submit(
        context_->fetches, loading->position, num_checks,
        [this, loading](size_t check) {
          return loading->load.reader().RunCheck(
              check, [this] { return control_->cancelled.load(); });
        },
        [this, loading](const Status& status) {
          if (loading->check_status.ok()) loading->check_status = status;
          if (--loading->checks_left == 0 && loading->is_over) EndLoading(loading);
        });
    return Status();
  });
  if (!loading->check_status.ok()) loading->checks_left = 0;
}

void EpochPipeline::Filter(const std::shared_ptr<Loading>& loading) {
  RunStage(
      loading, context_->tasks, loading->load.reader().num_filter_tasks(),
      [this, loading](size_t task) {
        return loading->load.reader().RunFilterTask(task, control_->cancelled);
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
      loading, context_->tasks, loading->load.sink().num_tasks(),
      [this, loading](size_t task) {
        return loading->load.sink().RunTask(task, control_->cancelled);
      },
      [this, loading] { DropFetched(loading); });
}

void EpochPipeline::DropFetched(const std::shared_ptr<Loading>& loading) {
  if (loading->load.reader().num_fetch_tasks() == 0) return EndLoading(loading);
  Submit(
      context_->tasks, loading->position, /*num_tasks=*/1,
      [loading](size_t) {
        loading->load.reader().DropFetched();
        return Status();
      },
      [this, loading](const Status&) {
        CountFetched(loading.get(), 0);
        EndLoading(loading);
      });
}

void EpochPipeline::RunStage(const std::shared_ptr<Loading>& loading, TaskPool* pool,
                             size_t num_tasks, std::function<Status(size_t)> work,
                             const std::function<void()>& next) {
  if (num_tasks == 0) return next();
  loading->tasks_left = num_tasks;
  const auto end = [this, loading, next](const Status& status) {
    if (loading->status.ok()) loading->status = status;
    loading->has_failed = !loading->status.ok();
    if (--loading->tasks_left > 0) return;
    loading->status.ok() ? next() : DropFetched(loading);
  };
  auto run = [loading, work = std::move(work)](size_t task) {
    return loading->has_failed ? Status() : work(task);
  };
  const Status queued = RunGuarded([&] {
    Submit(pool, loading->position, num_tasks, std::move(run), end);
    return Status();
  });
  if (queued.ok()) return;
  loading->status = queued;
  EndLoading(loading);
}

void EpochPipeline::EndLoading(const std::shared_ptr<Loading>& loading) {
  loading->is_over = true;
  if (loading->checks_left > 0) return;
  if (!loading->check_status.ok()) loading->status = loading->check_status;
  loading->is_loaded = true;
  loading->load.sink().LeaveBuilders();
  EndUse(loading);
  Pump(leading_);
}

}  // namespace rowfeed
