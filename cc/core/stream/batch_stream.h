// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_BATCH_STREAM_H_
#define ROWFEED_CORE_STREAM_BATCH_STREAM_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/batch/batch.h"
#include "core/catalog/schema/column.h"
#include "core/export.h"
#include "core/io/random_access_file.h"
#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/options.h"
#include "core/stream/pipeline/pull.h"

namespace rowfeed {

class Iteration;

// One iteration over the data: the batches of one rank, in order, over
// options.num_epochs epochs. This class is the public face of the core, so no exception
// leaves it. Making one costs nothing: threads, reads and the claim of an epoch begin
// with the first Next. One thread calls Next at a time; Cancel, Close and progress may
// be called from any thread.
class ROWFEED_EXPORT BatchStream {
 public:
  // `options` must have passed Validate against the cursor's catalog.
  static std::unique_ptr<BatchStream> Make(std::shared_ptr<Cursor> cursor,
                                           const StreamOptions& options);
  // Calls Close.
  ~BatchStream();

  using Pull = rowfeed::Pull;

  // Waits up to `timeout` for the next batch. kEnd: the iteration is over, and every
  // later call says so. An error belongs to the batch that would have come: the next
  // call goes on with the batch after it, so that a caller that ignores errors reaches
  // the end. An error does not move progress(). If an epoch could not begin, or memory
  // ran out, the error belongs to no batch: no epoch is running then, and the next call
  // tries again. Listing files and counting rows, which an epoch may begin with, can
  // take longer than `timeout`. If `interrupted` returns true, they end with
  // kCancelled.
  Result<Pull> Next(std::chrono::milliseconds timeout, Batch* batch,
                    const Cancelled& interrupted = {});
  // Whether an epoch has begun that has not ended.
  bool is_running() const;

  // Skips the next `num_batches` batches without making them, or all that the iteration
  // still has. Returns how many were skipped.
  Result<int64_t> Skip(int64_t num_batches);

  // The position after the last batch delivered, whatever was read ahead. Before the
  // first Next: where the iteration would start. After the end: the start of the next
  // epoch.
  Progress progress() const;

  // Continues from `progress`, which this stream or another one with the same order and
  // data has returned. Also sets the cursor's next epoch. What was read ahead is
  // dropped.
  Status Restore(const Progress& progress);

  // Makes a waiting Next, and every later one, return kCancelled soon.
  void Cancel();
  // Cancels, waits for running tasks and frees memory. May be called more than once.
  void Close();

  // Adds `n` to a count of Cursor::stats. Adapters count with it what they do with
  // batches.
  void Add(Count count, int64_t n);

  // Describes the tensors of each batch, in the order of the columns.
  const std::vector<Output>& outputs() const;

 private:
  explicit BatchStream(std::unique_ptr<Iteration> iteration);
  std::unique_ptr<Iteration> iteration_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_BATCH_STREAM_H_
