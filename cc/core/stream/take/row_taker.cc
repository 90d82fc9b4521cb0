// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/take/row_taker.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "core/guarded.h"
#include "core/io/buffer_pool.h"
#include "core/io/file_cache.h"
#include "core/stream/options/settled.h"
#include "core/stream/stats/counted_columns.h"
#include "core/stream/stats/counters.h"
#include "core/stream/take/block_cache.h"
#include "core/stream/take/row_take.h"
#include "core/task_pool.h"

namespace rowfeed {
namespace {

// The number of files that are kept open: random rows lie in many files. It is far
// below the usual limit of descriptors.
constexpr size_t kMaxOpenFiles = 64;

// Memory that is recycled for each thread: what it decodes next goes where its last
// block was.
constexpr int64_t kScratchBytes = int64_t{4} << 20;
constexpr int64_t kUnlimitedBytes = int64_t{1} << 60;

}  // namespace

struct RowTaker::Local {
  explicit Local(const RowTaker& taker)
      : counters(CountedColumns(taker.layout_.columns, *taker.catalog_)),
        buffers(BufferPool::Make(std::min(taker.memory_budget_bytes_, kUnlimitedBytes) +
                                 taker.num_threads_ * kScratchBytes)),
        cache(taker.catalog_.get(), &taker.columns_, &taker.layout_,
              taker.memory_budget_bytes_, buffers,
              std::make_shared<FileCache>(kMaxOpenFiles), &counters,
              taker.verifies_checksums_),
        tasks(taker.num_threads_) {}

  Counters counters;
  const std::shared_ptr<BufferPool> buffers;
  BlockCache cache;
  std::atomic<int64_t> num_takes{0};
  TaskPool tasks;  // declared last, so that its threads end before what they use
};

RowTaker::RowTaker(std::shared_ptr<const Catalog> catalog,
                   std::vector<ColumnSpec> columns, BatchLayout layout, int num_threads,
                   int64_t memory_budget_bytes, bool verifies_checksums)
    : catalog_(std::move(catalog)),
      columns_(std::move(columns)),
      layout_(std::move(layout)),
      num_threads_(num_threads),
      memory_budget_bytes_(memory_budget_bytes),
      verifies_checksums_(verifies_checksums),
      local_(std::make_unique<Local>(*this)) {
  int64_t end = 0;
  for (const RowGroup& group : catalog_->row_groups()) {
    group_ends_.push_back(end += group.rows);
  }
}

Result<std::unique_ptr<RowTaker>> RowTaker::Make(std::shared_ptr<const Catalog> catalog,
                                                 std::vector<ColumnSpec> columns,
                                                 int num_threads,
                                                 int64_t memory_budget_bytes,
                                                 bool verifies_checksums) {
  for (const ColumnSpec& spec : columns) {
    ROWFEED_RETURN_NOT_OK(ValidateColumnSpec(spec, *catalog));
  }
  for (const ColumnSpec& spec : columns) {
    if (spec.provenance && IsMoment(*spec.provenance)) {
      return Status::Invalid(
          "column '", spec.column,
          "' says when a row is delivered: only datasets with epochs "
          "have it");
    }
  }
  ROWFEED_RETURN_NOT_OK(CheckSettled(columns, *catalog));
  if (num_threads < 1) {
    return Status::Invalid("num_threads must be >= 1, not ", num_threads);
  }
  if (memory_budget_bytes < 1) {
    return Status::Invalid("memory_budget_bytes must be >= 1, not ",
                           memory_budget_bytes);
  }
  ROWFEED_ASSIGN_OR_RETURN(BatchLayout layout, LayOutBatches(columns, *catalog));
  return std::unique_ptr<RowTaker>(
      new RowTaker(std::move(catalog), std::move(columns), std::move(layout),
                   num_threads, memory_budget_bytes, verifies_checksums));
}

RowTaker::~RowTaker() = default;

RowTaker::Local& RowTaker::local() {
  return local_.Get(
      [this](const Local& /*parents*/) { return std::make_unique<Local>(*this); });
}

int64_t RowTaker::bytes_kept() { return local().cache.bytes(); }

Stats RowTaker::stats() {
  Local& local = this->local();
  Stats stats = local.counters.Report();
  stats.num_threads = num_threads_;
  stats.memory_budget_bytes = memory_budget_bytes_;
  stats.levels[static_cast<size_t>(Level::kBytesInFlight)] = local.cache.bytes();
  return stats;
}

Result<Batch> RowTaker::Take(const std::vector<int64_t>& rows,
                             const std::function<bool()>& interrupted) {
  if (rows.size() > std::numeric_limits<uint32_t>::max()) {
    return Status::Invalid(rows.size(), " rows in one batch are more than 2^32 - 1");
  }
  const int64_t num_rows = catalog_->num_rows();
  for (const int64_t row : rows) {
    if (row >= 0 && row < num_rows) continue;
    return Status::Invalid("row ", row, " of a data set of ", num_rows, " rows");
  }
  Local& local = this->local();
  const TakeContext context{.catalog = catalog_.get(),
                            .columns = &columns_,
                            .layout = &layout_,
                            .group_ends = &group_ends_,
                            .cache = &local.cache,
                            .tasks = &local.tasks,
                            .buffers = local.buffers,
                            .counters = &local.counters,
                            .position = local.num_takes++};
  const Stopwatch watch;
  Batch batch;
  ROWFEED_RETURN_NOT_OK(RunGuarded([&]() -> Status {
    ROWFEED_ASSIGN_OR_RETURN(batch, RowTake(context, rows).Run(interrupted));
    return {};
  }));
  local.counters.Add(Count::kWait, watch.ns());
  local.counters.Add(Count::kBatches, 1);
  local.counters.Add(Count::kRows, std::ssize(rows));
  return batch;
}

}  // namespace rowfeed
