// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_ITERATION_H_
#define ROWFEED_CORE_STREAM_PIPELINE_ITERATION_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/batch/batch.h"
#include "core/io/per_process.h"
#include "core/io/random_access_file.h"
#include "core/owned_mutex.h"
#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/stream_epochs.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/options.h"
#include "core/stream/pipeline/engine.h"
#include "core/stream/pipeline/pull.h"
#include "core/stream/stats/pull_clock.h"

namespace rowfeed {

// One iteration over the data: it decides which epoch comes next, and knows its
// position. The engine makes the batches.
class Iteration {
 public:
  Iteration(std::shared_ptr<Cursor> cursor, const StreamOptions& options);

  Result<Pull> Next(std::chrono::milliseconds timeout, Batch* batch,
                    const Cancelled& interrupted);
  Result<int64_t> Skip(int64_t num_batches);
  Status Restore(const Progress& progress);
  void Cancel();
  void Close();
  Progress progress() const;
  bool is_running() const;
  void Add(Count count, int64_t n) { local().clock.counters()->Add(count, n); }
  const std::vector<Output>& outputs() const { return layout_.outputs; }

 private:
  enum class Phase { kNotBegun, kBetweenEpochs, kRunning, kFinished };

  struct Local {
    explicit Local(std::shared_ptr<Counters> counters) : clock(std::move(counters)) {}

    PullClock clock;
    OwnedMutex consumer;  // allows one Next, Skip, Restore or Close at a time
    std::atomic<bool> cancelled{false};
    // Guards the members below. Only the holder of `consumer` writes them, and so reads
    // them without this mutex.
    std::mutex mutex;
    std::shared_ptr<Engine> engine;
    Phase phase = Phase::kNotBegun;
    // Where the next epoch begins, if Restore or Claim has set it.
    std::optional<Progress> restored;
    EpochPlace place;  // where the last epoch begun stands, and its rows
  };

  Local& local() const;
  std::unique_ptr<Local> MakeLocal() const;
  std::unique_ptr<Local> MakeForked(const Local& parents) const;
  std::shared_ptr<Engine> MakeEngine(const SourceRows& rows) const;
  // Makes an engine that gives each batch an arena of its own, for a limited number of
  // batches from `place` on. Limited, because a window may have millions of batches of
  // a single row.
  std::shared_ptr<Engine> MakeOneByOne(const EpochPlace& place) const;
  // Makes `engine` the current one, and starts it at `start`. Work in flight for
  // another place is dropped.
  void StartAt(Local* local, const Progress& start, std::shared_ptr<Engine> engine);
  // Makes sure that an epoch is running, and begins the iteration's next one if none
  // is. Returns false if there is no next one. Counts the rows that pass the filter,
  // unless they are known.
  Result<bool> EnsureRunning(Local* local, const Cancelled& interrupted = {});
  // Returns where the next epoch begins; nullopt if there is none.
  Result<std::optional<EpochPlace>> NextPlace(Local* local,
                                              const Cancelled& interrupted);
  // Calls use(), which uses the engine or makes another. If use() throws, because
  // memory ran out, the engine is dropped. The iteration later makes another one, which
  // begins at the current position.
  template <typename Use>
  static auto OrLeaveEngine(Local* local, const Use& use);
  // Takes the cursor's next epoch. From then on the iteration stands at its beginning,
  // even if another thread asks before the epoch runs, or its start fails.
  Progress Claim(Local* local);
  // Whether the engine is a usual one, not one that MakeOneByOne has made after an
  // error.
  bool IsMadeToLast(const Engine& engine) const {
    return engine.max_per_arena() == options_.max_batches_per_arena;
  }
  // Whether the engine stops before the epoch ends.
  bool IsPart(const Engine& engine) const {
    return engine.end_row() < options_.delivery.end_row;
  }
  int64_t PositionAfter(const Engine& engine, int64_t batch) const;
  // Called after the last batch of the engine: another engine goes on with the rest of
  // the epoch, or the epoch ends.
  void EndEngine(Local* local);

  const std::shared_ptr<Cursor> cursor_;
  const StreamOptions options_;
  const BatchLayout layout_;
  const StreamEpochs epochs_;
  const PerProcess<Local> local_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ITERATION_H_
