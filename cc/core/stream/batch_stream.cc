// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/batch_stream.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "core/io/per_process.h"
#include "core/stream/counted_columns.h"
#include "core/stream/engine.h"
#include "core/stream/memory_plan.h"
#include "core/stream/mixture_options.h"
#include "core/stream/pull_clock.h"
#include "core/stream/stream_context.h"
#include "core/stream/stream_epochs.h"
#include "core/stream/stream_layout.h"

namespace rowfeed {
namespace {

StreamOptions WithMemoryBudget(StreamOptions options, const Cursor& cursor) {
  if (options.memory_budget_bytes == 0) {
    options.memory_budget_bytes =
        DefaultMemoryBudget(CatalogsOf(cursor.sources()), options);
  }
  return options;
}

}  // namespace

// The epochs and the position of one iteration; the engine does the work.
class BatchStream::Impl {
 public:
  Impl(std::shared_ptr<Cursor> cursor, const StreamOptions& options);

  Result<Pull> Next(std::chrono::milliseconds timeout, Batch* batch);
  Result<int64_t> Skip(int64_t num_batches);
  Status Restore(const Progress& progress);
  void Cancel();
  void Close();
  Progress progress() const;
  void Add(Count count, int64_t n) { local().clock.counters()->Add(count, n); }
  const std::vector<Output>& outputs() const { return layout_.outputs; }

 private:
  enum class Phase { kNotBegun, kBetweenEpochs, kRunning, kFinished };

  struct Local {
    explicit Local(std::shared_ptr<Counters> counters) : clock(std::move(counters)) {}

    PullClock clock;
    std::mutex consumer;  // one Next, Skip, Restore or Close at a time
    std::atomic<bool> cancelled{false};
    // Guards what is below. Only the holder of `consumer` writes, so it reads without.
    std::mutex mutex;
    std::shared_ptr<Engine> engine;
    Phase phase = Phase::kNotBegun;
    // Where the next epoch begins: of a restore or a claim.
    std::optional<Progress> restored;
    EpochPlace place;  // in the last epoch begun, whose rows the engine was made for
  };

  Local& local() const;
  std::unique_ptr<Local> MakeLocal() const;
  std::unique_ptr<Local> MakeForked(const Local& parents) const;
  std::shared_ptr<Engine> MakeEngine(const SourceRows& rows,
                                     int64_t max_per_arena) const;
  // Leaves what is in flight and starts anew.
  void StartAt(Local* local, const Progress& start, std::shared_ptr<Engine> engine);
  // Makes sure that an epoch is running: begins the iteration's next one, or finishes
  // it. Counts the rows that pass the filter, if no one has yet.
  Result<bool> EnsureRunning(Local* local);
  // Where it begins; nullopt: there is none.
  Result<std::optional<EpochPlace>> NextPlace(Local* local);
  // Takes the cursor's next epoch: from now on it is where this iteration stands,
  // whoever asks meanwhile and whatever fails before it runs.
  Progress Claim(Local* local);
  // Not after an error, to make the batches of one epoch one by one.
  bool IsMadeToLast(const Engine& engine) const {
    return engine.max_per_arena() == options_.max_batches_per_arena;
  }

  const std::shared_ptr<Cursor> cursor_;
  const StreamOptions options_;
  const BatchLayout layout_;
  const StreamEpochs epochs_;
  const PerProcess<Local> local_;
};

BatchStream::Impl::Impl(std::shared_ptr<Cursor> cursor, const StreamOptions& options)
    : cursor_(std::move(cursor)),
      options_(WithMemoryBudget(options, *cursor_)),
      layout_(*LayOutStream(CatalogsOf(cursor_->sources()), options_)),
      epochs_(cursor_, &options_),
      local_(MakeLocal()) {}

std::unique_ptr<BatchStream::Impl::Local> BatchStream::Impl::MakeLocal() const {
  const Catalog& catalog = *cursor_->sources()[0]->catalog();
  return std::make_unique<Local>(
      cursor_->counters(CountedColumns(layout_.features, catalog)));
}

std::unique_ptr<BatchStream::Impl::Local> BatchStream::Impl::MakeForked(
    const Local& parents) const {
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

BatchStream::Impl::Local& BatchStream::Impl::local() const {
  return local_.Get([this](const Local& parents) { return MakeForked(parents); });
}

std::shared_ptr<Engine> BatchStream::Impl::MakeEngine(const SourceRows& rows,
                                                      int64_t max_per_arena) const {
  StreamOptions options = options_;
  options.max_batches_per_arena = max_per_arena;
  return std::make_shared<Engine>(
      MakeContext(cursor_.get(), options, layout_, rows, local().clock.counters()));
}

Progress BatchStream::Impl::Claim(Local* local) {
  const std::lock_guard lock(local->mutex);
  Progress claimed = cursor_->Claim();
  if (local->phase != Phase::kNotBegun) {
    claimed.epochs_done = local->place.progress.epochs_done + 1;
  }
  local->restored = claimed;
  return claimed;
}

Result<std::optional<EpochPlace>> BatchStream::Impl::NextPlace(Local* local) {
  const auto cancelled = [local] { return local->cancelled.load(); };
  if (local->restored) {
    ROWFEED_ASSIGN_OR_RETURN(EpochPlace place,
                             epochs_.List(*local->restored, cancelled));
    ROWFEED_RETURN_NOT_OK(place.progress.Validate(place.num_rows));
    return std::optional(std::move(place));
  }
  if (local->phase != Phase::kNotBegun && !epochs_.HasNext(local->place)) {
    return std::optional<EpochPlace>();
  }
  const auto claim = [this, local] { return Claim(local); };
  ROWFEED_ASSIGN_OR_RETURN(EpochPlace place,
                           epochs_.Next(local->place, claim, cancelled));
  return std::optional(std::move(place));
}

void BatchStream::Impl::StartAt(Local* local, const Progress& start,
                                std::shared_ptr<Engine> engine) {
  engine->Start(start.epoch, start.row);
  const std::lock_guard lock(local->mutex);
  local->engine.swap(engine);
  local->restored.reset();
  local->place.progress = start;
  local->phase = Phase::kRunning;
}

Result<bool> BatchStream::Impl::EnsureRunning(Local* local) {
  if (local->phase == Phase::kRunning) return true;
  if (local->phase == Phase::kFinished) return false;
  ROWFEED_ASSIGN_OR_RETURN(std::optional<EpochPlace> place, NextPlace(local));
  if (place) {
    local->clock.BeginEpoch(place->progress.epoch);
    // What was read ahead is of the rows that the engine was made for.
    const bool is_same = local->engine && local->place.rows == place->rows &&
                         IsMadeToLast(*local->engine);
    std::shared_ptr<Engine> engine =
        is_same ? local->engine
                : MakeEngine(place->rows, options_.max_batches_per_arena);
    local->place.rows = std::move(place->rows);
    local->place.num_rows = place->num_rows;
    StartAt(local, place->progress, std::move(engine));
    return true;
  }
  std::shared_ptr<Engine> engine;
  const std::lock_guard lock(local->mutex);
  local->phase = Phase::kFinished;
  local->engine.swap(engine);
  return false;
}

Result<BatchStream::Pull> BatchStream::Impl::Next(std::chrono::milliseconds timeout,
                                                  Batch* batch) {
  const auto begin = std::chrono::steady_clock::now();
  const auto deadline = begin + timeout;
  Local& local = this->local();
  const std::lock_guard consumer(local.consumer);
  PullClock::Pull clocked(&local.clock, begin);
  while (true) {
    if (local.cancelled) return Status(StatusCode::kCancelled, "the stream was closed");
    ROWFEED_ASSIGN_OR_RETURN(const bool is_running, EnsureRunning(&local));
    if (!is_running) return Pull::kEnd;
    // A Cancel that came while the engine was made did not see it.
    if (local.cancelled) local.engine->Cancel();
    const bool was_there = local.engine->has_batch();
    // One that makes batches one by one is not for another epoch.
    const std::optional<int64_t> ahead = IsMadeToLast(*local.engine)
                                             ? epochs_.Ahead(local.place.progress)
                                             : std::nullopt;
    const Result<Engine::Pull> pull = local.engine->Next(deadline, ahead, batch);
    if (!pull.ok()) {
      if (local.cancelled || local.engine->delivery().batches_per_arena() == 1)
        return pull.status();
      // On one by one, so that an error costs no batch but those that it belongs to.
      StartAt(&local, local.place.progress, MakeEngine(local.place.rows, 1));
      continue;
    }
    if (*pull == Engine::Pull::kTimeout) return Pull::kTimeout;
    const std::lock_guard lock(local.mutex);
    if (*pull == Engine::Pull::kEpochEnd) {
      local.phase = Phase::kBetweenEpochs;
      continue;
    }
    const Delivery& delivery = local.engine->delivery();
    const int64_t taken = local.engine->num_taken();
    local.place.progress.row = delivery.PositionAfter(taken - 1);
    clocked.Deliver(batch->num_rows, taken == delivery.num_batches(), was_there);
    return Pull::kBatch;
  }
}

Result<int64_t> BatchStream::Impl::Skip(int64_t num_batches) {
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
      const std::lock_guard lock(local.mutex);
      local.phase = Phase::kBetweenEpochs;
      continue;
    }
    Progress progress = local.place.progress;
    progress.row = delivery.PositionAfter(taken + count - 1);
    if (local.engine->Drop(count)) {
      const std::lock_guard lock(local.mutex);
      local.place.progress = progress;
    } else {
      StartAt(&local, progress,
              MakeEngine(local.place.rows, options_.max_batches_per_arena));
    }
    skipped += count;
  }
  return skipped;
}

Status BatchStream::Impl::Restore(const Progress& progress) {
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

void BatchStream::Impl::Cancel() {
  Local& local = this->local();
  local.cancelled = true;
  std::shared_ptr<Engine> engine;
  {
    const std::lock_guard lock(local.mutex);
    engine = local.engine;
  }
  if (engine) engine->Cancel();
}

void BatchStream::Impl::Close() {
  Cancel();
  Local& local = this->local();
  const std::lock_guard consumer(local.consumer);
  std::shared_ptr<Engine> engine;
  const std::lock_guard lock(local.mutex);
  local.engine.swap(engine);
}

Progress BatchStream::Impl::progress() const {
  Local& local = this->local();
  const std::lock_guard lock(local.mutex);
  const bool is_within =
      local.phase == Phase::kBetweenEpochs || local.phase == Phase::kRunning;
  if (!local.restored && !is_within) return cursor_->Peek();
  Progress progress = local.restored ? *local.restored : local.place.progress;
  progress.next_epoch = cursor_->Peek().epoch;
  return progress;
}

std::unique_ptr<BatchStream> BatchStream::Make(std::shared_ptr<Cursor> cursor,
                                               const StreamOptions& options) {
  return std::unique_ptr<BatchStream>(
      new BatchStream(std::make_unique<Impl>(std::move(cursor), options)));
}

BatchStream::BatchStream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

BatchStream::~BatchStream() { impl_->Close(); }

Result<BatchStream::Pull> BatchStream::Next(std::chrono::milliseconds timeout,
                                            Batch* batch) {
  try {
    return impl_->Next(timeout, batch);
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kOutOfMemory, "out of memory");
  } catch (const std::exception& e) {
    return Status(StatusCode::kInternal, e.what());
  }
}

Result<int64_t> BatchStream::Skip(int64_t num_batches) {
  return impl_->Skip(num_batches);
}
Progress BatchStream::progress() const { return impl_->progress(); }
Status BatchStream::Restore(const Progress& progress) {
  return impl_->Restore(progress);
}
void BatchStream::Add(Count count, int64_t n) { impl_->Add(count, n); }
void BatchStream::Cancel() { impl_->Cancel(); }
void BatchStream::Close() { impl_->Close(); }
const std::vector<Output>& BatchStream::outputs() const { return impl_->outputs(); }

}  // namespace rowfeed
