// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_ENGINE_H_
#define ROWFEED_CORE_STREAM_PIPELINE_ENGINE_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "core/batch/batch.h"
#include "core/batch/batch_slices.h"
#include "core/status.h"
#include "core/stream/pipeline/epoch_pipeline.h"
#include "core/stream/window/window_load.h"

namespace rowfeed {

// The work in flight of one stream in one process: the pipeline of the epoch being
// consumed, which has that of the epoch read ahead. One thread uses it, but Cancel may
// come from any.
class Engine {
 public:
  explicit Engine(std::shared_ptr<const StreamContext> context);
  // Cancels and waits for running tasks.
  ~Engine();

  // Begins an epoch, with what was read ahead if that is the very place, else without.
  void Start(int64_t epoch, int64_t row);
  const Delivery& delivery() const { return current_->delivery(); }
  int64_t num_taken() const { return num_taken_; }
  // Whether the next batch is there, without a look at the pipeline.
  bool has_batch() const { return slices_.num_left() > 0; }
  int64_t max_per_arena() const { return context_->options.max_batches_per_arena; }
  // Where it ends, if the epoch does not before.
  int64_t end_row() const { return context_->options.delivery.end_row; }

  enum class Pull { kBatch, kEpochEnd, kTimeout };
  // The epoch's next batch. `ahead`: the epoch to read ahead, if any is to come. Behind
  // an error it goes on, unless batches share arenas: then it is of no more use, and
  // neither is it when it has thrown, as memory ran out.
  Result<Pull> Next(std::chrono::steady_clock::time_point deadline,
                    std::optional<int64_t> ahead, Batch* batch);
  // Drops the next `count` batches, of which there must be as many, if all their
  // windows are loaded or on their way, or get on their way while it waits.
  bool Drop(int64_t count);

  void Cancel();

 private:
  // Waits for the next arena, whose batches become slices_.
  Result<Pull> TakeArena(std::unique_lock<std::mutex>* lock,
                         std::chrono::steady_clock::time_point deadline,
                         std::optional<int64_t> ahead);
  // Calls use(lock). After what it throws no task goes on with what is half changed.
  template <typename Use>
  auto OrCancel(const Use& use);
  void Pump(std::optional<int64_t> ahead);
  void Free(std::shared_ptr<EpochPipeline> pipeline);
  // Leaves running and queued tasks without a stream, and waits for the running ones.
  void Abandon();

  const std::shared_ptr<const StreamContext> context_;
  std::shared_ptr<StreamControl> control_;
  std::shared_ptr<EpochPipeline> current_;
  BatchSlices slices_;     // of the arena taken last: the next batches
  int64_t num_taken_ = 0;  // batches
  int64_t to_drop_ = 0;    // batches of the next arena
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ENGINE_H_
