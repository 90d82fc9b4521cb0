// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_TAKE_ROW_TAKE_H_
#define ROWFEED_CORE_STREAM_TAKE_ROW_TAKE_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/batch/batch.h"
#include "core/batch/batch_builder.h"
#include "core/catalog/catalog.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/feature.h"
#include "core/stream/stats/counters.h"
#include "core/stream/take/block_cache.h"
#include "core/stream/take/kept_rows.h"
#include "core/task_pool.h"

namespace rowfeed {

// What a take reads. All that is pointed to outlives it.
struct TakeContext {
  const Catalog* catalog;
  const std::vector<Feature>* features;
  const BatchLayout* layout;
  const std::vector<int64_t>* group_ends;  // rows of the catalog up to each
  BlockCache* cache;
  TaskPool* tasks;
  std::shared_ptr<BufferPool> buffers;
  Counters* counters;
  int64_t position;  // of its tasks: takes are served in the order they came
};

// The work of one RowTaker::Take. Rows are sorted, so that each block is gathered from
// once; the calling thread gathers from blocks that are kept, tasks decode the others
// and gather from them. A block is let go of as soon as its rows are in the batch or
// copied, so that the memory of a take does not grow with the blocks it touches.
class RowTake {
 public:
  RowTake(const TakeContext& context, const std::vector<int64_t>& rows);

  // Once.
  Result<Batch> Run(const std::function<bool()>& interrupted);

 private:
  // Places [begin, end) of the sorted rows, all in one row group; of one feature.
  struct Span {
    int64_t row_group;
    size_t feature;
    int64_t begin;
    int64_t end;
  };

  void Sort(const std::vector<int64_t>& rows);
  int64_t group_begin(int64_t row_group) const;

  // What the calling thread can do without waiting; the rest it leaves to tasks.
  Status GatherAll();
  Status GatherChunk(const Span& span, bool in_task);
  Status GatherBlocks(const Span& span,
                      const std::shared_ptr<const ChunkBlocks>& chunk);
  Status DecodeBlock(const Span& span, const ChunkBlocks& chunk, size_t index);
  Status GatherProvenance(const Span& span);
  Status GatherBlock(const Span& span,
                     const std::shared_ptr<const DecodedBlock>& block);
  Status Assemble();

  void Submit(std::function<Status()> work);
  void EndTask();
  // Of the whole take, unless it has failed before.
  void End(const Status& status);
  Status Wait(const std::function<bool()>& interrupted);

  const TakeContext context_;
  std::vector<int64_t> sorted_;  // rows
  std::vector<uint32_t> slots_;  // of the batch, for each of them
  BatchBuilder builder_;

  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;  // guards what is below
  std::condition_variable ended_;
  int64_t num_tasks_ = 0;  // not ended
  Status status_;          // the first that is not OK
  std::vector<KeptRows> kept_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_TAKE_ROW_TAKE_H_
