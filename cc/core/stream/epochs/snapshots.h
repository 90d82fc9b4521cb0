// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_SNAPSHOTS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_SNAPSHOTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/catalog/catalog.h"
#include "core/io/per_process.h"
#include "core/status.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// What a growing data set is in each epoch: listed when the epoch begins, kept in
// options.growth->snapshot_dir for who resumes within it, and the same from then on.
// Thread-safe; a forked child knows what the parent knew.
class Snapshots {
 public:
  using Cancelled = DatasetRows::Cancelled;

  // `first`: what the data set was when it was opened.
  Snapshots(std::shared_ptr<DatasetRows> first, const StreamOptions& options);
  ~Snapshots();
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // Of an epoch, which begins now if it has not before.
  Result<std::shared_ptr<DatasetRows>> Begin(int64_t epoch, const Cancelled& cancelled);
  // The same for an iteration: where ranks share a listing, it must have begun.
  Result<std::shared_ptr<DatasetRows>> BeginIteration(int64_t epoch,
                                                      const Cancelled& cancelled);
  // Whether the ranks are to share a listing: then one of them begins an epoch and the
  // others load it.
  bool shared() const { return options_.delivery.world_size > 1; }
  // Empty: the epoch has not begun.
  std::string FingerprintOf(int64_t epoch) const;
  // The epoch's catalog and what a filter leaves, serialized, for another process,
  // which need not count; kNotFound if it has not begun or is too long ago.
  Result<std::string> Save(int64_t epoch) const;

  // Makes the epoch what another process has found.
  Status Load(int64_t epoch, std::string_view saved);
  // The same from snapshot_dir; kNotFound: it is not there. If files that it names are
  // gone, kNotFound names them, unless they `may_be_gone`.
  Status Resume(int64_t epoch, const std::string& fingerprint, bool may_be_gone);

 private:
  struct Local;
  struct Epochs;
  Local& local() const;
  // Keeps and knows what the epoch is.
  Result<std::shared_ptr<DatasetRows>> Settle(Local* local, int64_t epoch,
                                              std::shared_ptr<DatasetRows> rows);
  std::shared_ptr<DatasetRows> Know(Local* local, int64_t epoch,
                                    std::shared_ptr<DatasetRows> rows);
  // The same where nothing has changed: what was read ahead of them is good.
  std::shared_ptr<DatasetRows> RowsOf(
      const Epochs& known, const std::shared_ptr<const Catalog>& catalog) const;
  // In snapshot_dir. Where nothing has changed since an epoch before, that is one more
  // name of its file.
  Status Keep(const Epochs& known, int64_t epoch, const Catalog& catalog) const;
  // What is kept, as this run can use it.
  Result<std::shared_ptr<const Catalog>> Read(int64_t epoch,
                                              const std::string& fingerprint) const;
  std::string PathOf(int64_t epoch, const std::string& fingerprint) const;

  const std::shared_ptr<DatasetRows> first_;
  const StreamOptions options_;
  const PerProcess<Local> local_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_SNAPSHOTS_H_
