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
#include "core/stream/pipeline/stream_control.h"
#include "core/stream/window/stream_context.h"

namespace rowfeed {

// Runs one stream in one process: it has the pipeline of the epoch that is being
// consumed, which has the pipeline of the epoch that is read ahead. One thread uses an
// engine, but Cancel may be called from any thread.
class Engine {
 public:
  explicit Engine(std::shared_ptr<const StreamContext> context);
  // Cancels, and waits until running tasks have ended.
  ~Engine();

  // Begins an epoch at a row. Uses what was read ahead if that begins at this very
  // place.
  void Start(int64_t epoch, int64_t row);
  const Delivery& delivery() const { return current_->delivery(); }
  int64_t num_taken() const { return num_taken_; }
  // Whether the next batch lies in the arena taken last, so that no look at the
  // pipeline is needed.
  bool has_batch() const { return slices_.num_left() > 0; }
  int64_t max_per_arena() const { return context_->options.max_batches_per_arena; }
  // The row at which this engine stops, if the epoch does not end before.
  int64_t end_row() const { return context_->options.delivery.end_row; }

  enum class Got { kBatch, kEpochEnd, kTimeout };
  // Returns the epoch's next batch. `ahead`: the epoch to read ahead, if there is one
  // to come. After an error the engine goes on with the batch after it, unless batches
  // share arenas: then the engine must not be used again. The same holds if it has
  // thrown because memory ran out.
  Result<Got> Next(std::chrono::steady_clock::time_point deadline,
                   std::optional<int64_t> ahead, Batch* batch);
  // Drops the next `count` batches, of which the epoch must have as many left. Returns
  // false, and drops none, if some of their windows are neither loaded nor being
  // loaded, and do not begin to be while this call waits.
  bool Drop(int64_t count);

  void Cancel();

 private:
  // Waits for the next arena, and makes its batches the content of slices_.
  Result<Got> TakeArena(std::unique_lock<std::mutex>* lock,
                        std::chrono::steady_clock::time_point deadline,
                        std::optional<int64_t> ahead);
  // Calls use(lock). If use throws, the pipeline is given up, so that no task continues
  // with half-changed state.
  template <typename Use>
  auto OrCancel(const Use& use);
  void Pump(std::optional<int64_t> ahead);
  void Free(std::shared_ptr<EpochPipeline> pipeline);
  // Waits for the running tasks, and drops the pipeline. Queued tasks then do nothing.
  void Abandon();

  const std::shared_ptr<const StreamContext> context_;
  std::shared_ptr<StreamControl> control_;
  std::shared_ptr<EpochPipeline> current_;
  BatchSlices slices_;     // what is left of the arena taken last
  int64_t num_taken_ = 0;  // number of batches taken or dropped
  int64_t to_drop_ = 0;    // number of batches to drop from the next arena
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ENGINE_H_
