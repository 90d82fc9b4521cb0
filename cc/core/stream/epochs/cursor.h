// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_CURSOR_H_
#define ROWFEED_CORE_STREAM_EPOCHS_CURSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/io/buffer_pool.h"
#include "core/io/file_cache.h"
#include "core/io/per_process.h"
#include "core/status.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/epochs/snapshots.h"
#include "core/stream/stats/stats.h"
#include "core/stream/stats/task_spans.h"
#include "core/task_pool.h"

namespace rowfeed {

class Counters;

// Where an iteration stands: the next row that it will deliver. Together with the order
// options and the fingerprint of the data, this is the whole state of an iteration.
struct ROWFEED_EXPORT Progress {
  int64_t epoch = 0;
  int64_t row = 0;          // a row of the epoch's global stream
  int64_t next_epoch = 1;   // the epoch that the cursor hands out next
  int64_t epochs_done = 0;  // epochs that this iteration has completed

  // Checks that a data set of `num_rows` rows has such a place. Numbers of epochs are
  // bounded, so that those after them do not overflow.
  Status Validate(int64_t num_rows) const;

  bool operator==(const Progress& other) const {
    return epoch == other.epoch && row == other.row && next_epoch == other.next_epoch &&
           epochs_done == other.epochs_done;
  }
};

// What all iterations over one dataset share: which epoch comes next, the catalogs,
// threads, open files and recycled memory. Making one starts no thread. Thread-safe. A
// forked child that uses it gets threads and locks of its own.
class ROWFEED_EXPORT Cursor {
 public:
  // `memory_budget_bytes` limits the memory that is kept for reuse. `snapshots` is
  // nullptr unless the data set grows.
  Cursor(SourceRows sources, int64_t first_epoch, int num_threads,
         int64_t memory_budget_bytes, std::shared_ptr<Snapshots> snapshots = nullptr);
  Cursor(std::shared_ptr<DatasetRows> rows, int64_t first_epoch, int num_threads,
         int64_t memory_budget_bytes)
      : Cursor(SourceRows{std::move(rows)}, first_epoch, num_threads,
               memory_budget_bytes) {}
  ~Cursor();
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  // Returns the rows of each source. A growing data set is as it was when it was
  // opened.
  const SourceRows& sources() const { return sources_; }
  // Returns the rows of the first source, which is the only one unless there is a
  // mixture.
  const std::shared_ptr<DatasetRows>& rows() const { return sources_[0]; }

  // Returns the rows of each source in an epoch. For a growing data set they are what
  // it had when the epoch began. Where ranks share a listing, the epoch must have
  // begun.
  Result<SourceRows> Begin(int64_t epoch,
                           const DatasetRows::Cancelled& cancelled = nullptr);
  // Begins an epoch now rather than when it is iterated, and returns its rows. Where
  // ranks share a listing, it returns those of the opened data set and begins nothing.
  Result<SourceRows> BeginAhead(int64_t epoch);
  // Returns the fingerprint of an epoch's data. It is empty if the epoch has not begun,
  // or if the data set does not grow.
  std::string FingerprintOf(int64_t epoch) const;
  // Makes the epoch what it was when its data had this fingerprint, see
  // Snapshots::Resume.
  Status Resume(int64_t epoch, const std::string& fingerprint, bool may_be_gone);

  // Takes the next epoch, at the row where it starts, for an iteration that begins. Its
  // epochs_done are 0 unless Move has set them.
  Progress Claim();
  // Returns what Claim would return, and takes nothing.
  Progress Peek();
  // Makes the next Claim start at progress.epoch and progress.row, and those after it
  // at progress.next_epoch.
  void Move(const Progress& progress);
  // Makes later claims start at `epoch`. An iteration calls it when it is restored.
  void SetNextEpoch(int64_t epoch);

  struct Resources {
    std::shared_ptr<TaskPool> tasks;
    std::shared_ptr<BufferPool> buffers;
    std::shared_ptr<FileCache> files;
    std::shared_ptr<TaskPool> fetches;  // for fetching remote files: its threads wait
  };
  Resources resources();

  // Returns what the iterations have done in this process. A forked child begins at 0.
  Stats stats();
  void Add(Count count, int64_t n);
  // Shows the tasks of iterations that are made from now on to a profiler.
  void SetTaskSpans(const TaskSpans& spans);
  // Returns the counters of all iterations, which have the same columns.
  std::shared_ptr<Counters> counters(const std::vector<CountedColumn>& columns);

 private:
  struct Local;
  Local& local();

  const SourceRows sources_;
  const int num_threads_;
  const int64_t memory_budget_bytes_;
  const std::shared_ptr<Snapshots> snapshots_;
  const PerProcess<Local> local_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_CURSOR_H_
