// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_BATCH_STREAM_H_
#define ROWFEED_CORE_STREAM_BATCH_STREAM_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/batch/batch.h"
#include "core/catalog/column.h"
#include "core/io/random_access_file.h"
#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/options.h"
#include "core/stream/pipeline/pull.h"

namespace rowfeed {

class Iteration;

// One iteration: the batches of one rank, in order, over options.num_epochs epochs. THE
// façade of the core: no exception leaves it. Making one costs nothing: threads, reads
// and the claim of an epoch begin with the first Next. One thread calls Next at a time;
// Cancel, Close and progress may come from any thread.
class BatchStream {
 public:
  // `options` must have passed Validate against the cursor's catalog.
  static std::unique_ptr<BatchStream> Make(std::shared_ptr<Cursor> cursor,
                                           const StreamOptions& options);
  // Closes.
  ~BatchStream();

  using Pull = rowfeed::Pull;

  // Waits up to `timeout` for the next batch. kEnd: the iteration is over; from then on
  // every call says so. An error belongs to the batch that would have come: the next
  // call goes on behind it, so that whoever ignores errors reaches the end; progress()
  // does not move over it. One that belongs to no batch, as an epoch could not begin or
  // memory ran out, leaves no epoch running: the next call tries again. Listing and
  // counting, which an epoch may begin with, take their time; `interrupted` ends them
  // with kCancelled.
  Result<Pull> Next(std::chrono::milliseconds timeout, Batch* batch,
                    const Cancelled& interrupted = {});
  // Whether an epoch has begun that has not ended.
  bool is_running() const;

  // Passes over the next `num_batches` without making them, or to the end of the
  // iteration. Returns how many there were.
  Result<int64_t> Skip(int64_t num_batches);

  // Behind the last batch delivered, not what was read ahead; before the first Next,
  // where it would start; after the end, the start of the next epoch.
  Progress progress() const;

  // Goes on from `progress` (of this or another stream with the same order and data),
  // and sets the cursor's next epoch. What was read ahead is dropped.
  Status Restore(const Progress& progress);

  // Makes a waiting Next return kCancelled soon, and every later one.
  void Cancel();
  // Cancels, waits for running tasks, gives back memory. Idempotent.
  void Close();

  // Adds to what Cursor::stats says, for what an adapter does with batches.
  void Add(Count count, int64_t n);

  // The tensors of each batch, in the order of the features.
  const std::vector<Output>& outputs() const;

 private:
  explicit BatchStream(std::unique_ptr<Iteration> iteration);
  std::unique_ptr<Iteration> iteration_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_BATCH_STREAM_H_
