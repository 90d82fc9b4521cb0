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
#include "core/export.h"
#include "core/filter/survivors.h"
#include "core/plan/epoch_plan.h"
#include "core/status.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// A filter, and the rows of a catalog that pass it.
struct FilteredRows {
  std::shared_ptr<const RowFilter> filter;
  Survivors survivors;
  std::string cache_dir;  // directory that the counts were read from; empty: none
  bool used_statistics = true;
};

// The rows that the epochs of one dataset are made of: all rows of the catalog, or
// those that pass the filter of `options`. The latter are counted when they are first
// asked for, and known from then on. Thread-safe, also across a fork. Two threads that
// ask at once may both count.
class ROWFEED_EXPORT DatasetRows {
 public:
  using Cancelled = std::function<bool()>;

  DatasetRows(std::shared_ptr<const Catalog> catalog, const StreamOptions& options);
  ~DatasetRows();
  DatasetRows(const DatasetRows&) = delete;
  DatasetRows& operator=(const DatasetRows&) = delete;

  const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }
  // Whether the functions below cost nothing, because there is nothing left to count.
  bool is_known() const { return filter_.empty() || known_.load() != nullptr; }

  // Returns the filter with the rows that pass it; nullptr if there is no filter.
  // `cancelled` is as in CountSurvivors.
  Result<std::shared_ptr<const FilteredRows>> Filtered(const Cancelled& cancelled);
  // Returns the rows in the form that plans of epochs need.
  Result<EpochRows> Get(const Cancelled& cancelled = nullptr);
  // Returns the number of rows of an epoch.
  Result<int64_t> NumRows(const Cancelled& cancelled = nullptr);
  // Returns NumRows if that is known without counting, otherwise an upper bound.
  int64_t MaxRows() const;

  // Returns a warning for the user about each file that lied when this object counted
  // it. Each warning is returned once.
  std::vector<std::string> TakeWarnings();

  // Returns what is known of the rows, for Load in another process; empty if that is
  // nothing.
  std::string Save() const;
  // Takes over what another process has saved. kInvalid: it belongs to other data.
  Status Load(std::string_view saved);

  // Counts the rows of the row groups of one share, for Join. Returns those of all row
  // groups if they are known or cached.
  Result<std::string> CountShare(Share share, const Cancelled& cancelled = nullptr);
  // Takes over what all shares together say. kInvalid: a share belongs to other data.
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
  // Warnings that nobody has taken yet; nullptr if there are none. Who takes them owns
  // them.
  std::atomic<std::vector<std::string>*> warnings_ = nullptr;
  // Set once. There is no mutex, because it could stay locked for ever in a forked
  // child.
  std::atomic<const std::shared_ptr<const FilteredRows>*> known_ = nullptr;
};

// The rows of each source of a mixture, or of the only data set.
using SourceRows = std::vector<std::shared_ptr<DatasetRows>>;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_DATASET_ROWS_H_
