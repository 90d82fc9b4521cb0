// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_DATASET_ROWS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_DATASET_ROWS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/filter/survivors.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// A filter and what it leaves of a catalog.
struct FilteredRows {
  std::shared_ptr<const RowFilter> filter;
  Survivors survivors;
  std::string cache_dir;  // that they were read from; empty: none
  bool used_statistics = true;
};

// The rows that the epochs of one dataset are made of: all of the catalog's, or those
// that the filter of `options` lets pass, which are counted when they are first asked
// for, and then known. Thread-safe, also across a fork; two that ask at once may both
// count.
class DatasetRows {
 public:
  using Cancelled = std::function<bool()>;

  DatasetRows(std::shared_ptr<const Catalog> catalog, const StreamOptions& options);
  ~DatasetRows();
  DatasetRows(const DatasetRows&) = delete;
  DatasetRows& operator=(const DatasetRows&) = delete;

  const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }
  // Whether asking costs nothing.
  bool is_known() const { return filter_.empty() || known_.load() != nullptr; }

  // nullptr: there is no filter. `cancelled` as of CountSurvivors.
  Result<std::shared_ptr<const FilteredRows>> Filtered(const Cancelled& cancelled);
  // For the plans of epochs.
  Result<EpochRows> Get(const Cancelled& cancelled = nullptr);
  // Of an epoch.
  Result<int64_t> NumRows(const Cancelled& cancelled = nullptr);
  // No more than NumRows can be, and that if it is known.
  int64_t MaxRows() const;

  // Returns a warning for the user about each file that lied when this object counted
  // it. Each warning is returned once.
  std::vector<std::string> TakeWarnings();

  // What is known, for another process; empty if nothing is.
  std::string Save() const;
  // Knows what another process has saved. kInvalid: it is of other data.
  Status Load(std::string_view saved);

  // Counts the row groups of a share alone; all, if they are known or cached. For Join.
  Result<std::string> CountShare(Share share, const Cancelled& cancelled = nullptr);
  // Knows what all shares together say. kInvalid: one is of other data.
  Status Join(const std::vector<std::string>& shares);

 private:
  std::shared_ptr<const FilteredRows> Know(FilteredRows rows);
  Result<std::shared_ptr<const RowFilter>> MakeFilter() const;
  Result<FilteredRows> Count(const Cancelled& cancelled);
  CountOptions OptionsOf(Share share) const;
  // Returns the key under which counts are kept. It says whether statistics were used,
  // because counts may differ without them.
  std::string CacheKey(const std::string& key) const;
  void Warn(const Survivors& counted);

  const std::shared_ptr<const Catalog> catalog_;
  const std::string filter_;
  const int64_t block_rows_;
  const int num_threads_;
  const std::string cache_dir_;
  const bool verifies_checksums_;
  const bool use_statistics_;
  // nullptr: there are none. Those who take it own it.
  std::atomic<std::vector<std::string>*> warnings_ = nullptr;
  // Set once. A lock could be held for ever in a forked child.
  std::atomic<const std::shared_ptr<const FilteredRows>*> known_ = nullptr;
};

// Of the sources of a mixture; of one data set, its own alone.
using SourceRows = std::vector<std::shared_ptr<DatasetRows>>;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_DATASET_ROWS_H_
