// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BATCH_BUILDER_H_
#define ROWFEED_CORE_BATCH_BATCH_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/batch/batch.h"
#include "core/catalog/column.h"
#include "core/decode/column_block.h"
#include "core/io/buffer_pool.h"
#include "core/plan/delivery.h"
#include "core/status.h"

namespace rowfeed {

// One batch while it fills. Rows of fixed columns, and lengths of variable ones, are
// gathered straight into its arena by many threads at once (each slot by one); when all
// are there, Finish... makes offsets of the lengths and gathers the elements.
class BatchBuilder {
 public:
  // Slots [valid_rows, rows) are fill: zeros, empty. `columns` must outlive the
  // builder.
  BatchBuilder(const std::vector<Column>* columns, int64_t rows, int64_t valid_rows,
               bool with_valid, std::shared_ptr<BufferPool> pool);

  // Bytes of the arena of a batch of `rows`, elements of variable columns apart.
  static int64_t ArenaBytes(const std::vector<Column>& columns, int64_t rows);

  // Gets the arena; the first call does, the others wait for it.
  Status Allocate();

  // Thread-safe for distinct slots, after Allocate.
  Status GatherFixed(size_t column, const FixedBlock& block,
                     const Selection& selection);
  // The same from all rows of a window, side by side: those of a run.
  void GatherRun(size_t column, const uint8_t* rows, const uint32_t* permutation,
                 const Run& run);
  void GatherLengths(size_t column, const VariableBlock& block, const RowRun& run);

  // After all lengths: makes the offsets and room for the elements.
  Status AllocateElements();
  Status GatherElements(size_t column, const VariableBlock& block, const RowRun& run);

  // The batch, once. The builder keeps nothing.
  Batch Finish();

  int64_t num_bytes() const;

 private:
  struct Memory {
    Buffer arena;
    Buffer elements;
  };

  const std::vector<Column>* columns_;
  const int64_t valid_rows_;
  const bool with_valid_;
  const std::shared_ptr<BufferPool> pool_;
  std::once_flag allocate_once_;
  Status allocate_status_;
  Status DoAllocate();
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
  Batch batch_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BATCH_BUILDER_H_
