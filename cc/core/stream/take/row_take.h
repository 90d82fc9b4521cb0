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
#include "core/stream/options/column_spec.h"
#include "core/stream/stats/counters.h"
#include "core/stream/take/block_cache.h"
#include "core/stream/take/kept_rows.h"
#include "core/task_pool.h"

namespace rowfeed {

// All that a take works with. What it points to outlives the take.
struct TakeContext {
  const Catalog* catalog;
  const std::vector<ColumnSpec>* columns;
  const BatchLayout* layout;
  // For each row group, the number of the catalog's rows up to its end.
  const std::vector<int64_t>* group_ends;
  BlockCache* cache;
  TaskPool* tasks;
  std::shared_ptr<BufferPool> buffers;
  Counters* counters;
  int64_t position;  // the order of its tasks: takes are served as they came
};

// The work of one RowTaker::Take. Rows are sorted, so that each block is gathered from
// once. The calling thread gathers from blocks that are kept. Tasks decode the others
// and gather from them. A block is released as soon as its rows are in the batch or
// copied, so that the memory of a take does not grow with the number of its blocks.
class RowTake {
 public:
  RowTake(const TakeContext& context, const std::vector<int64_t>& rows);

  // Makes the batch. Call it once.
  Result<Batch> Run(const std::function<bool()>& interrupted);

 private:
  // Places [begin, end) of the sorted rows, all in one row group, for one column.
  struct Span {
    int64_t row_group;
    size_t spec;
    int64_t begin;
    int64_t end;
  };

  void Sort(const std::vector<int64_t>& rows);
  int64_t group_begin(int64_t row_group) const;

  // Does what the calling thread can do without waiting, and leaves the rest to tasks.
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
  // Ends the whole take with this status, unless it has failed before.
  void End(const Status& status);
  Status Wait(const std::function<bool()>& interrupted);

  const TakeContext context_;
  std::vector<int64_t> sorted_;  // the requested rows, ascending
  std::vector<uint32_t> slots_;  // for each row of sorted_, its slot in the batch
  BatchBuilder builder_;

  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;  // guards the members below
  std::condition_variable ended_;
  int64_t num_tasks_ = 0;  // tasks that have not ended
  Status status_;          // the first error
  std::vector<KeptRows> kept_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_TAKE_ROW_TAKE_H_
