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

#include "core/io/fork_count.h"
#include "core/stream/counted_columns.h"
#include "core/stream/engine.h"
#include "core/stream/memory_plan.h"
#include "core/stream/mixture_options.h"
#include "core/stream/pull_clock.h"
#include "core/stream/stream_layout.h"

namespace rowfeed {
namespace {

constexpr int64_t kMaxLocatorBytes = int64_t{16} << 20;  // of each source

}  // namespace

// The epochs and the position of one iteration; the engine does the work.
class BatchStream::Impl {
 public:
  Impl(std::shared_ptr<Cursor> cursor, const StreamOptions& options);
  ~Impl();

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

  // What a forked child must not touch, since its threads are gone and its locks may be
  // held for ever: the child leaks it and makes its own.
  struct Local {
    explicit Local(std::shared_ptr<Counters> counters) : clock(std::move(counters)) {}

    const int owner = ForkCount();
    PullClock clock;
    std::mutex consumer;  // one Next, Skip, Restore or Close at a time
    std::atomic<bool> cancelled{false};
    // Guards what is below. Only the holder of `consumer` writes, so it reads without.
    std::mutex mutex;
    std::shared_ptr<Engine> engine;
    Phase phase = Phase::kNotBegun;
    // Where the next epoch begins: of a restore or a claim.
    std::optional<Progress> restored;
    Progress progress;     // of the last epoch begun
    SourceRows rows;       // of that epoch, which the engine was made for
    int64_t num_rows = 0;  // how many these are
  };

  Local& local() const;
  Local* MakeLocal() const;
  std::shared_ptr<Engine> MakeEngine(const SourceRows& sources,
                                     int64_t max_per_arena) const;
  // Leaves what is in flight and starts anew.
  void StartAt(Local* local, const Progress& start, std::shared_ptr<Engine> engine);
  // Makes sure that an epoch is running: begins the iteration's next one, or finishes
  // it. Counts the rows that pass the filter, if no one has yet.
  Result<bool> EnsureRunning(Local* local);
  // Where that is, and the rows of its epoch.
  struct Start {
    Progress progress;
    SourceRows rows;
    int64_t num_rows;
  };
  Result<std::optional<Start>> NextStart(Local* local);
  Result<Start> Claim(Local* local);
  // Takes the cursor's next epoch: from now on it is where this iteration stands,
  // whoever asks meanwhile and whatever fails before it runs.
  Progress TakeEpoch(Local* local);
  // A place, with the rows of its epoch.
  Result<Start> List(const Progress& progress, const Local& local) const;
  // Not after an error, to make the batches of one epoch one by one.
  bool IsMadeToLast(const Engine& engine) const {
    return engine.max_per_arena() == options_.max_batches_per_arena;
  }
  bool IsLast(const Progress& progress) const;
  std::optional<int64_t> EpochAhead(const Progress& progress) const;

  const std::shared_ptr<Cursor> cursor_;
  StreamOptions options_;
  BatchLayout layout_;
  mutable std::atomic<Local*> local_;
};

BatchStream::Impl::Impl(std::shared_ptr<Cursor> cursor, const StreamOptions& options)
    : cursor_(std::move(cursor)), options_(options), local_(nullptr) {
  const Catalogs catalogs = CatalogsOf(cursor_->sources());
  if (options_.memory_budget_bytes == 0) {
    options_.memory_budget_bytes = DefaultMemoryBudget(catalogs, options_);
  }
  layout_ = *LayOutStream(catalogs, options_);
  local_ = MakeLocal();
}

BatchStream::Impl::~Impl() {
  const Local* local = local_.load();
  if (local->owner == ForkCount()) delete local;
}

BatchStream::Impl::Local* BatchStream::Impl::MakeLocal() const {
  const Catalog& catalog = *cursor_->sources()[0]->catalog();
  return new Local(cursor_->counters(CountedColumns(layout_.features, catalog)));
}

BatchStream::Impl::Local& BatchStream::Impl::local() const {
  Local* local = local_.load();
  if (local->owner == ForkCount()) return *local;
  Local* own = MakeLocal();
  own->cancelled = local->cancelled.load();
  own->phase = local->phase;
  own->progress = local->progress;
  own->num_rows = local->num_rows;
  own->restored = local->restored;
  if (local->phase == Phase::kRunning) {
    own->phase = Phase::kBetweenEpochs;
    own->restored = local->progress;
  }
  if (local_.compare_exchange_strong(local, own)) return *own;
  delete own;
  return *local;
}

std::shared_ptr<Engine> BatchStream::Impl::MakeEngine(const SourceRows& sources,
                                                      int64_t max_per_arena) const {
  auto context = std::make_shared<StreamContext>();
  const Catalogs catalogs = CatalogsOf(sources);
  for (size_t i = 0; i < catalogs.size(); ++i) {
    const std::vector<Feature>& features = options_.source(i).features;
    DatasetRows& rows = *sources[i];  // which EnsureRunning has counted
    context->sources.push_back(
        {catalogs[i], features, *LayOutBatches(features, *catalogs[i]), *rows.Get(),
         *rows.Filtered(nullptr), std::make_shared<RemotePages>(),
         std::make_shared<PageLocator>(catalogs[i].get(), kMaxLocatorBytes)});
  }
  context->options = options_;
  context->options.max_batches_per_arena = max_per_arena;
  context->layout = layout_;
  context->arenas_ahead = PlanMemory(catalogs, context->options).arenas_ahead;
  const Cursor::Resources resources = cursor_->resources();
  context->tasks = resources.tasks.get();
  context->buffers = resources.buffers;
  context->files = resources.files;
  context->counters = local().clock.counters();
  context->fetches = resources.fetches.get();
  return std::make_shared<Engine>(std::move(context));
}

bool BatchStream::Impl::IsLast(const Progress& progress) const {
  return options_.num_epochs != StreamOptions::kEndless &&
         progress.epochs_done + 1 >= options_.num_epochs;
}

std::optional<int64_t> BatchStream::Impl::EpochAhead(const Progress& progress) const {
  if (IsLast(progress)) return std::nullopt;
  const Progress next = cursor_->Peek();
  return next.row == 0 ? std::optional(next.epoch) : std::nullopt;
}

Result<BatchStream::Impl::Start> BatchStream::Impl::List(const Progress& progress,
                                                         const Local& local) const {
  const auto cancelled = [&local] { return local.cancelled.load(); };
  ROWFEED_ASSIGN_OR_RETURN(SourceRows rows, cursor_->Begin(progress.epoch, cancelled));
  ROWFEED_ASSIGN_OR_RETURN(const int64_t num_rows,
                           NumRowsIn(options_, rows, progress.epoch, cancelled));
  return Start{progress, std::move(rows), num_rows};
}

Progress BatchStream::Impl::TakeEpoch(Local* local) {
  const std::lock_guard lock(local->mutex);
  Progress taken = cursor_->Claim();
  if (local->phase != Phase::kNotBegun) {
    taken.epochs_done = local->progress.epochs_done + 1;
  }
  local->restored = taken;
  return taken;
}

Result<BatchStream::Impl::Start> BatchStream::Impl::Claim(Local* local) {
  // Of one data set that does not grow all epochs have the same rows: a consumer, who
  // waits for this, need not list them again.
  if (!local->rows.empty() && !options_.growth && !options_.mixture) {
    return Start{TakeEpoch(local), local->rows, local->num_rows};
  }
  // Counted and listed before it is claimed: an error, or Ctrl-C, costs no epoch.
  const Progress next = cursor_->Peek();
  ROWFEED_ASSIGN_OR_RETURN(Start start, List(next, *local));
  start.progress = TakeEpoch(local);
  if (start.progress.epoch == next.epoch) return start;
  return List(start.progress, *local);  // another iteration was faster
}

Result<std::optional<BatchStream::Impl::Start>> BatchStream::Impl::NextStart(
    Local* local) {
  if (local->restored) {
    ROWFEED_ASSIGN_OR_RETURN(Start start, List(*local->restored, *local));
    ROWFEED_RETURN_NOT_OK(start.progress.Validate(start.num_rows));
    return std::optional(std::move(start));
  }
  const bool is_first = local->phase == Phase::kNotBegun;
  // An epoch without batches is not repeated for ever.
  if (!is_first && (IsLast(local->progress) ||
                    BatchesPerEpoch(local->num_rows, 0, options_.delivery) == 0)) {
    return std::optional<Start>();
  }
  ROWFEED_ASSIGN_OR_RETURN(Start start, Claim(local));
  return std::optional(std::move(start));
}

void BatchStream::Impl::StartAt(Local* local, const Progress& start,
                                std::shared_ptr<Engine> engine) {
  engine->Start(start.epoch, start.row);
  const std::lock_guard lock(local->mutex);
  local->engine.swap(engine);
  local->restored.reset();
  local->progress = start;
  local->phase = Phase::kRunning;
}

Result<bool> BatchStream::Impl::EnsureRunning(Local* local) {
  if (local->phase == Phase::kRunning) return true;
  if (local->phase == Phase::kFinished) return false;
  ROWFEED_ASSIGN_OR_RETURN(std::optional<Start> start, NextStart(local));
  if (start) {
    local->clock.BeginEpoch(start->progress.epoch);
    // What was read ahead is of the rows that the engine was made for.
    const bool is_same =
        local->engine && local->rows == start->rows && IsMadeToLast(*local->engine);
    std::shared_ptr<Engine> engine =
        is_same ? local->engine
                : MakeEngine(start->rows, options_.max_batches_per_arena);
    local->rows = std::move(start->rows);
    local->num_rows = start->num_rows;
    StartAt(local, start->progress, std::move(engine));
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
    const std::optional<int64_t> ahead =
        IsMadeToLast(*local.engine) ? EpochAhead(local.progress) : std::nullopt;
    const Result<Engine::Pull> pull = local.engine->Next(deadline, ahead, batch);
    if (!pull.ok()) {
      if (local.cancelled || local.engine->delivery().batches_per_arena() == 1)
        return pull.status();
      // On one by one, so that an error costs no batch but those that it belongs to.
      StartAt(&local, local.progress, MakeEngine(local.rows, 1));
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
    local.progress.row = delivery.PositionAfter(taken - 1);
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
    Progress progress = local.progress;
    progress.row = delivery.PositionAfter(taken + count - 1);
    if (local.engine->Drop(count)) {
      const std::lock_guard lock(local.mutex);
      local.progress = progress;
    } else {
      StartAt(&local, progress, MakeEngine(local.rows, options_.max_batches_per_arena));
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
  if (local.restored) return *local.restored;
  if (local.phase == Phase::kNotBegun || local.phase == Phase::kFinished) {
    return cursor_->Peek();
  }
  Progress progress = local.progress;
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
