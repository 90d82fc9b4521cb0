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

// The epochs and the position of one iteration; the engine does the work.
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
    OwnedMutex consumer;  // one Next, Skip, Restore or Close at a time
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
  std::shared_ptr<Engine> MakeEngine(const SourceRows& rows) const;
  // For some batches from `place` on, which it makes one by one. Not for all of a
  // window: there may be millions of single rows in it, each with an arena of its own.
  std::shared_ptr<Engine> MakeOneByOne(const EpochPlace& place) const;
  // Leaves what is in flight and starts anew.
  void StartAt(Local* local, const Progress& start, std::shared_ptr<Engine> engine);
  // Makes sure that an epoch is running: begins the iteration's next one, or finishes
  // it. Counts the rows that pass the filter, if no one has yet.
  Result<bool> EnsureRunning(Local* local, const Cancelled& interrupted = {});
  // Where it begins; nullopt: there is none.
  Result<std::optional<EpochPlace>> NextPlace(Local* local,
                                              const Cancelled& interrupted);
  // Calls use(), of the engine or to make another. What it throws, as memory ran out,
  // leaves the engine of no use: the iteration goes on with another, from where it
  // stands.
  template <typename Use>
  static auto OrLeaveEngine(Local* local, const Use& use);
  // Takes the cursor's next epoch: from now on it is where this iteration stands,
  // whoever asks meanwhile and whatever fails before it runs.
  Progress Claim(Local* local);
  // Not after an error, to make some batches one by one.
  bool IsMadeToLast(const Engine& engine) const {
    return engine.max_per_arena() == options_.max_batches_per_arena;
  }
  // Whether it ends before the epoch does.
  bool IsPart(const Engine& engine) const {
    return engine.end_row() < options_.delivery.end_row;
  }
  int64_t PositionAfter(const Engine& engine, int64_t batch) const;
  // Behind the last batch of the engine: another goes on with the epoch, or it ends.
  void EndEngine(Local* local);

  const std::shared_ptr<Cursor> cursor_;
  const StreamOptions options_;
  const BatchLayout layout_;
  const StreamEpochs epochs_;
  const PerProcess<Local> local_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ITERATION_H_
