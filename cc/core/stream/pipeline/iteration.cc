// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/iteration.h"

#include <algorithm>
#include <utility>

#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/memory_plan.h"
#include "core/stream/options/stream_defaults.h"
#include "core/stream/options/stream_layout.h"
#include "core/stream/stats/counted_columns.h"
#include "core/stream/window/stream_context.h"

namespace rowfeed {
namespace {

// After an error in an arena that batches share, this many batches get arenas of their
// own. They are limited because each part of such a batch takes at least a cache line.
constexpr int64_t kOneByOne = int64_t{1} << 14;

StreamOptions WithMemoryBudget(StreamOptions options, const Cursor& cursor) {
  if (options.memory_budget_bytes == 0) {
    options.memory_budget_bytes =
        DefaultMemoryBudget(CatalogsOf(cursor.sources()), options);
  }
  return options;
}

// Moves a place beyond the end of its epoch to that end. A state can have such a place
// if it was saved before the number of rows was known.
std::optional<EpochPlace> AtMostTheEnd(EpochPlace place) {
  place.progress.row = std::min(place.progress.row, place.num_rows);
  return place;
}

}  // namespace

Iteration::Iteration(std::shared_ptr<Cursor> cursor, const StreamOptions& options)
    : cursor_(std::move(cursor)),
      options_(WithMemoryBudget(options, *cursor_)),
      layout_(*LayOutStream(CatalogsOf(cursor_->sources()), options_)),
      epochs_(cursor_, &options_),
      local_(MakeLocal()) {}

std::unique_ptr<Iteration::Local> Iteration::MakeLocal() const {
  const Catalog& catalog = *cursor_->sources()[0]->catalog();
  return std::make_unique<Local>(
      cursor_->counters(CountedColumns(layout_.columns, catalog)));
}

std::unique_ptr<Iteration::Local> Iteration::MakeForked(const Local& parents) const {
  auto own = MakeLocal();
  own->cancelled = parents.cancelled.load();
  own->phase = parents.phase;
  own->restored = parents.restored;
  own->place = {parents.place.progress, {}, parents.place.num_rows};
  if (parents.phase == Phase::kRunning) {
    own->phase = Phase::kBetweenEpochs;
    own->restored = parents.place.progress;
  }
  return own;
}

Iteration::Local& Iteration::local() const {
  return local_.Get([this](const Local& parents) { return MakeForked(parents); });
}

std::shared_ptr<Engine> Iteration::MakeEngine(const SourceRows& rows) const {
  return std::make_shared<Engine>(
      MakeContext(cursor_.get(), options_, layout_, rows, local().clock.counters()));
}

std::shared_ptr<Engine> Iteration::MakeOneByOne(const EpochPlace& place) const {
  StreamOptions options = options_;
  DeliveryOptions& delivery = options.delivery;
  const int64_t batches = std::max(kOneByOne, options.max_batches_per_arena);
  const int64_t end_row = place.progress.row + batches * delivery.global_batch();
  if (end_row < std::min(place.num_rows, delivery.end_row)) delivery.end_row = end_row;
  options.max_batches_per_arena = 1;
  return std::make_shared<Engine>(MakeContext(cursor_.get(), options, layout_,
                                              place.rows, local().clock.counters()));
}

int64_t Iteration::PositionAfter(const Engine& engine, int64_t batch) const {
  const int64_t row = engine.delivery().PositionAfter(batch);
  return IsPart(engine) ? std::min(row, engine.end_row()) : row;
}

Progress Iteration::Claim(Local* local) {
  const std::lock_guard lock(local->mutex);
  Progress claimed = cursor_->Claim();
  if (local->phase != Phase::kNotBegun) {
    claimed.epochs_done = local->place.progress.epochs_done + 1;
  }
  local->restored = claimed;
  return claimed;
}

Result<std::optional<EpochPlace>> Iteration::NextPlace(Local* local,
                                                       const Cancelled& interrupted) {
  const auto cancelled = [local, &interrupted] {
    return local->cancelled || (interrupted && interrupted());
  };
  if (local->restored) {
    ROWFEED_ASSIGN_OR_RETURN(EpochPlace place,
                             epochs_.List(*local->restored, cancelled));
    return AtMostTheEnd(std::move(place));
  }
  if (local->phase != Phase::kNotBegun && !epochs_.HasNext(local->place)) {
    return std::optional<EpochPlace>();
  }
  const auto claim = [this, local] { return Claim(local); };
  ROWFEED_ASSIGN_OR_RETURN(EpochPlace place,
                           epochs_.Next(local->place, claim, cancelled));
  return AtMostTheEnd(std::move(place));
}

void Iteration::StartAt(Local* local, const Progress& start,
                        std::shared_ptr<Engine> engine) {
  engine->Start(start.epoch, start.row);
  const std::lock_guard lock(local->mutex);
  local->engine.swap(engine);
  local->restored.reset();
  local->place.progress = start;
  local->phase = Phase::kRunning;
}

Result<bool> Iteration::EnsureRunning(Local* local, const Cancelled& interrupted) {
  if (local->phase == Phase::kRunning) return true;
  if (local->phase == Phase::kFinished) return false;
  ROWFEED_ASSIGN_OR_RETURN(std::optional<EpochPlace> place,
                           NextPlace(local, interrupted));
  if (place) {
    local->clock.BeginEpoch(place->progress.epoch);
    // What was read ahead belongs to the rows that the engine was made for.
    const bool is_same = local->engine && local->place.rows == place->rows &&
                         IsMadeToLast(*local->engine);
    std::shared_ptr<Engine> engine = is_same ? local->engine : MakeEngine(place->rows);
    StartAt(local, place->progress, std::move(engine));
    local->place.rows = std::move(place->rows);
    local->place.num_rows = place->num_rows;
    return true;
  }
  std::shared_ptr<Engine> engine;
  const std::lock_guard lock(local->mutex);
  local->phase = Phase::kFinished;
  local->engine.swap(engine);
  return false;
}

template <typename Use>
auto Iteration::OrLeaveEngine(Local* local, const Use& use) {
  try {
    return use();
  } catch (...) {
    std::shared_ptr<Engine> engine;  // destroyed after the mutex is released
    const std::lock_guard lock(local->mutex);
    local->engine.swap(engine);
    local->restored = local->place.progress;
    local->phase = Phase::kBetweenEpochs;
    throw;
  }
}

void Iteration::EndEngine(Local* local) {
  if (IsPart(*local->engine)) {
    Progress behind = local->place.progress;
    behind.row = local->engine->end_row();
    return OrLeaveEngine(
        local, [&] { StartAt(local, behind, MakeEngine(local->place.rows)); });
  }
  const std::lock_guard lock(local->mutex);
  local->phase = Phase::kBetweenEpochs;
}

Result<Pull> Iteration::Next(std::chrono::milliseconds timeout, Batch* batch,
                             const Cancelled& interrupted) {
  const auto begin = std::chrono::steady_clock::now();
  const auto deadline = begin + timeout;
  Local& local = this->local();
  const std::lock_guard consumer(local.consumer);
  PullClock::Wait clocked(&local.clock, begin);
  while (true) {
    if (local.cancelled) return Status(StatusCode::kCancelled, "the stream was closed");
    ROWFEED_ASSIGN_OR_RETURN(const bool is_running, EnsureRunning(&local, interrupted));
    if (!is_running) return Pull::kEnd;
    // A Cancel that came while the engine was made did not reach it.
    if (local.cancelled) local.engine->Cancel();
    const bool was_there = local.engine->has_batch();
    // An engine of MakeOneByOne is not used for another epoch, so it reads none ahead.
    const std::optional<int64_t> ahead = IsMadeToLast(*local.engine)
                                             ? epochs_.Ahead(local.place.progress)
                                             : std::nullopt;
    const Delivery& delivery = local.engine->delivery();
    const Result<Engine::Got> got = OrLeaveEngine(&local, [&] {
      Engine& engine = *local.engine;
      Result<Engine::Got> pulled = engine.Next(deadline, ahead, batch);
      if (pulled.ok() && *pulled == Engine::Got::kBatch) {
        const bool is_last =
            engine.num_taken() == delivery.num_batches() && !IsPart(engine);
        clocked.Deliver(batch->num_rows, is_last, was_there);
      }
      return pulled;
    });
    if (!got.ok()) {
      if (local.cancelled || delivery.batches_per_arena() == 1) return got.status();
      // From here on each batch has its own arena, so that an error costs no other
      // batch.
      OrLeaveEngine(&local, [&] {
        StartAt(&local, local.place.progress, MakeOneByOne(local.place));
      });
      continue;
    }
    if (*got == Engine::Got::kTimeout) return Pull::kTimeout;
    if (*got == Engine::Got::kEpochEnd) {
      EndEngine(&local);
      // A rank without rows passes through many epochs, and shall not miss a signal.
      if (std::chrono::steady_clock::now() >= deadline) return Pull::kTimeout;
      continue;
    }
    const std::lock_guard lock(local.mutex);
    local.place.progress.row =
        PositionAfter(*local.engine, local.engine->num_taken() - 1);
    return Pull::kBatch;
  }
}

Result<int64_t> Iteration::Skip(int64_t num_batches) {
  Local& local = this->local();
  const std::lock_guard consumer(local.consumer);
  int64_t skipped = 0;
  while (skipped < num_batches) {
    if (local.cancelled) return Status(StatusCode::kCancelled, "the stream was closed");
    ROWFEED_ASSIGN_OR_RETURN(const bool is_running, EnsureRunning(&local));
    if (!is_running) break;
    const Delivery& delivery = local.engine->delivery();
    const int64_t taken = local.engine->num_taken();
    const int64_t count =
        std::min(num_batches - skipped, delivery.num_batches() - taken);
    if (count == 0) {
      EndEngine(&local);
      continue;
    }
    Progress progress = local.place.progress;
    progress.row = PositionAfter(*local.engine, taken + count - 1);
    OrLeaveEngine(&local, [&] {
      if (!local.engine->Drop(count)) {
        return StartAt(&local, progress, MakeEngine(local.place.rows));
      }
      const std::lock_guard lock(local.mutex);
      local.place.progress = progress;
    });
    skipped += count;
  }
  return skipped;
}

Status Iteration::Restore(const Progress& progress) {
  ROWFEED_RETURN_NOT_OK(
      progress.Validate(MaxRowsIn(options_, cursor_->sources(), progress.epoch)));
  Local& local = this->local();
  const std::lock_guard consumer(local.consumer);
  cursor_->SetNextEpoch(progress.next_epoch);
  std::shared_ptr<Engine> engine;
  const std::lock_guard lock(local.mutex);
  local.engine.swap(engine);
  local.restored = progress;
  if (local.phase != Phase::kNotBegun) local.phase = Phase::kBetweenEpochs;
  return {};
}

void Iteration::Cancel() {
  Local& local = this->local();
  local.cancelled = true;
  std::shared_ptr<Engine> engine;
  {
    const std::lock_guard lock(local.mutex);
    engine = local.engine;
  }
  if (engine) engine->Cancel();
}

void Iteration::Close() {
  Cancel();
  Local& local = this->local();
  // A signal handler within Next has called Close on this thread. Next ends by itself
  // now.
  if (local.consumer.is_mine()) return;
  const std::lock_guard consumer(local.consumer);
  std::shared_ptr<Engine> engine;
  const std::lock_guard lock(local.mutex);
  local.engine.swap(engine);
}

Progress Iteration::progress() const {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  const bool is_within =
      local.phase == Phase::kBetweenEpochs || local.phase == Phase::kRunning;
  if (!local.restored && !is_within) return cursor_->Peek();
  Progress progress = local.restored ? *local.restored : local.place.progress;
  progress.next_epoch = cursor_->Peek().epoch;
  return progress;
}

bool Iteration::is_running() const {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  return local.phase == Phase::kRunning;
}

}  // namespace rowfeed
