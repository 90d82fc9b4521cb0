// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_SNAPSHOTS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_SNAPSHOTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/io/per_process.h"
#include "core/status.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// What a growing data set consists of in each epoch. The data is listed when the epoch
// begins, and the epoch does not change after that. The listing is also kept in
// options.growth->snapshot_dir, for iterations that resume within the epoch.
// Thread-safe. A forked child knows what its parent knew.
class ROWFEED_EXPORT Snapshots {
 public:
  using Cancelled = DatasetRows::Cancelled;

  // `first`: the data set as it was when it was opened.
  Snapshots(std::shared_ptr<DatasetRows> first, const StreamOptions& options);
  ~Snapshots();
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // Returns the rows of an epoch, which begins now unless it has begun before.
  Result<std::shared_ptr<DatasetRows>> Begin(int64_t epoch, const Cancelled& cancelled);
  // Does the same for an iteration. Where ranks share a listing, the epoch must have
  // begun.
  Result<std::shared_ptr<DatasetRows>> BeginIteration(int64_t epoch,
                                                      const Cancelled& cancelled);
  // Whether the ranks share a listing: one of them begins an epoch, and the others load
  // it.
  bool shared() const { return options_.delivery.world_size > 1; }
  // Returns the fingerprint of the epoch's data; empty if the epoch has not begun.
  std::string FingerprintOf(int64_t epoch) const;
  // Returns the epoch's catalog and the counts of the filter, serialized, so that
  // another process need not count. kNotFound: the epoch has not begun, or is too long
  // ago.
  Result<std::string> Save(int64_t epoch) const;

  // Makes the epoch what another process has saved.
  Status Load(int64_t epoch, std::string_view saved);
  // Returns the counts of the filter in the epoch, for Resume in another process. Empty
  // if there is no filter, or if the epoch has not begun or is too long ago.
  std::string SaveCounts(int64_t epoch) const;
  // Makes the epoch what snapshot_dir has for it; kNotFound if there is nothing. If
  // files that it names are gone, kNotFound names them, unless `may_be_gone` is set.
  // kInvalid: `fingerprint` is none, or the snapshot names files that are not in the
  // paths of the data. `counts` are what SaveCounts returned: with them, the filter
  // need not count the rows, which it cannot do in files that are gone.
  Status Resume(int64_t epoch, const std::string& fingerprint, bool may_be_gone,
                std::string_view counts = {});

 private:
  struct Local;
  struct Epochs;
  Local& local() const;
  // Makes `rows` those of the epoch: keeps them in snapshot_dir and remembers them.
  Result<std::shared_ptr<DatasetRows>> Settle(Local* local, int64_t epoch,
                                              std::shared_ptr<DatasetRows> rows);
  std::shared_ptr<DatasetRows> Know(Local* local, int64_t epoch,
                                    std::shared_ptr<DatasetRows> rows);
  // Returns the rows of a catalog: known ones if nothing has changed, so that what was
  // read ahead of them stays good.
  std::shared_ptr<DatasetRows> RowsOf(
      const Epochs& known, const std::shared_ptr<const Catalog>& catalog) const;
  // Writes the catalog to snapshot_dir. If nothing has changed since an earlier epoch,
  // the epoch's file is one more name of the file of that epoch.
  Status Keep(const Epochs& known, int64_t epoch, const Catalog& catalog) const;
  // Reads the epoch's catalog from snapshot_dir, and adapts it to the columns of this
  // run.
  Result<std::shared_ptr<const Catalog>> Read(int64_t epoch,
                                              const std::string& fingerprint) const;
  std::string PathOf(int64_t epoch, const std::string& fingerprint) const;

  const std::shared_ptr<DatasetRows> first_;
  const StreamOptions options_;
  const PerProcess<Local> local_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_SNAPSHOTS_H_
