// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_TAKE_ROW_TAKER_H_
#define ROWFEED_CORE_STREAM_TAKE_ROW_TAKER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/batch/batch.h"
#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/io/per_process.h"
#include "core/status.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/column_spec.h"
#include "core/stream/stats/stats.h"

namespace rowfeed {

// Reads rows by index: any rows of a catalog, in any order, as one batch. Blocks that
// were decoded for one batch are kept for later ones, as far as the budget goes. Making
// one starts nothing: threads and reads begin with the first Take. Thread-safe. A
// forked child that uses it gets threads, locks and a cache of its own.
class ROWFEED_EXPORT RowTaker {
 public:
  // `memory_budget_bytes` limits what is kept. It does not include the block that each
  // thread decodes, nor the batches.
  static Result<std::unique_ptr<RowTaker>> Make(std::shared_ptr<const Catalog> catalog,
                                                std::vector<ColumnSpec> columns,
                                                int num_threads,
                                                int64_t memory_budget_bytes,
                                                bool verifies_checksums = false);
  ~RowTaker();
  RowTaker(const RowTaker&) = delete;
  RowTaker& operator=(const RowTaker&) = delete;

  // Returns a batch whose row i is row rows[i] of the catalog, counted through its row
  // groups. A row may come more than once. kInvalid: there is no such row.
  // `interrupted`, unless it is empty, is called now and then while this thread waits.
  // If it returns true, the take ends with kCancelled.
  Result<Batch> Take(const std::vector<int64_t>& rows,
                     const std::function<bool()>& interrupted = nullptr);

  // Describes the tensors of each batch, in the order of the columns.
  const std::vector<Output>& outputs() const { return layout_.outputs; }
  // Returns the memory of the kept blocks.
  int64_t bytes_kept();
  // Returns what the takes in this process have done: rows, takes (as batches), the
  // time that was waited for them, and the work. Kept memory is given as bytes in
  // flight.
  Stats stats();

 private:
  struct Local;
  RowTaker(std::shared_ptr<const Catalog> catalog, std::vector<ColumnSpec> columns,
           BatchLayout layout, int num_threads, int64_t memory_budget_bytes,
           bool verifies_checksums);
  Local& local();

  const std::shared_ptr<const Catalog> catalog_;
  const std::vector<ColumnSpec> columns_;
  const BatchLayout layout_;
  const int num_threads_;
  const int64_t memory_budget_bytes_;
  const bool verifies_checksums_;    // whether pages must match their checksums
  std::vector<int64_t> group_ends_;  // rows of the catalog up to each row group's end
  const PerProcess<Local> local_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_TAKE_ROW_TAKER_H_
