// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_CURSOR_RESOURCE_H_
#define ROWFEED_TENSORFLOW_CURSOR_RESOURCE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/catalog/catalog.h"
#include "core/stream/batch_stream.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/restored_epochs.h"
#include "core/stream/options/options.h"
#include "core/stream/stats/stats.h"
#include "tensorflow/core/framework/resource_base.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/platform/refcount.h"

namespace rowfeed::tfdata {

// Makes a cursor for iterations with these options.
std::shared_ptr<Cursor> MakeCursor(SourceRows sources, const StreamOptions& options,
                                   int64_t first_epoch);

// Holds the cursor that all copies of one Python dataset share. Its name is part of the
// graph. Python gives it the cursor. In a process that got only the graph (a worker of
// the tf.data service), the first iterator opens the data again. Thread-safe.
class CursorResource : public tensorflow::ResourceBase {
 public:
  // Where the data of one source is, and which fingerprint it must have.
  struct Source {
    std::vector<CatalogFile> files;  // only path, name and partitions are set
    std::string fingerprint;
  };

  // Finds the resource called `name`, or makes it without a cursor.
  static absl::Status FindOrMake(tensorflow::ResourceMgr* resources,
                                 const std::string& name,
                                 tensorflow::core::RefCountPtr<CursorResource>* result);

  void Give(std::shared_ptr<Cursor> cursor);
  // Whether there is a cursor: one that was given, or that Open has made.
  bool has_cursor() const;
  // Returns the cursor, and opens the data if there is none. FailedPrecondition: the
  // data is not that of the graph.
  absl::Status Open(const std::vector<Source>& sources, const StreamOptions& options,
                    int64_t first_epoch, std::shared_ptr<Cursor>* cursor);

  // Tells that an iteration has begun. Latest reports on it from then on, even when its
  // iterator is gone.
  void Begin(std::shared_ptr<BatchStream> iteration);
  // Returns where the iteration that began last stands. If none has begun, where it
  // will.
  Progress Latest() const;
  // Returns the fingerprint of an epoch of a growing data set; empty if it has not
  // begun.
  std::string FingerprintOf(int64_t epoch) const;
  // Returns where the next iteration will begin. Also begins that epoch if the data set
  // grows, unless ranks share a listing, which the op RowfeedMoveCursor then brings.
  Result<Progress> BeginNext();
  // Makes an epoch of a growing data set what it was when it began in another process.
  Status Resume(int64_t epoch, const std::string& fingerprint);
  // Returns for each source what its filter lets pass, serialized. Counts that unless
  // it is known. There must be a cursor.
  Result<std::vector<std::string>> CountRows();
  // Takes over what CountRows has returned in another process.
  Status LoadRows(const std::vector<std::string_view>& survivors);
  // Returns what all iterations have done in this process. There must be a cursor.
  Stats stats() const;
  // Makes the next iteration begin at `progress`. There must be a cursor.
  void Move(const Progress& progress);

  // Returns the next epoch to hand out, after an iterator was restored whose state has
  // `next_epoch`, as RestoredEpochs tells it. With the first iterator of a pipeline,
  // Latest forgets the iteration from before.
  int64_t RestoredNextEpoch(const std::weak_ptr<void>& pipeline, int64_t next_epoch);

  std::string DebugString() const override { return "rowfeed cursor"; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Cursor> cursor_;
  std::shared_ptr<BatchStream> latest_;
  RestoredEpochs restored_;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_CURSOR_RESOURCE_H_
