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
#include "core/stream/options/options.h"
#include "core/stream/stats/stats.h"
#include "tensorflow/core/framework/resource_base.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/platform/refcount.h"

namespace rowfeed::tfdata {

// A cursor for iterations with these options.
std::shared_ptr<Cursor> MakeCursor(SourceRows sources, const StreamOptions& options,
                                   int64_t first_epoch);

// What every copy of one Python dataset shares, under a name that is part of the graph:
// the cursor. Python gives it; in a process that only got the graph (a worker of the
// tf.data service) the first iterator opens the data again. Thread-safe.
class CursorResource : public tensorflow::ResourceBase {
 public:
  // Where the data is, and what it must be.
  struct Source {
    std::vector<CatalogFile> files;  // path and name
    std::string fingerprint;
  };

  // The resource called `name`, made without a cursor if there is none.
  static absl::Status FindOrMake(tensorflow::ResourceMgr* resources,
                                 const std::string& name,
                                 tensorflow::core::RefCountPtr<CursorResource>* result);

  void Give(std::shared_ptr<Cursor> cursor);
  // Whether one was given or opened.
  bool has_cursor() const;
  // What was given or opened; opens the data if it must. FailedPrecondition: it is
  // other data.
  absl::Status Open(const std::vector<Source>& sources, const StreamOptions& options,
                    int64_t first_epoch, std::shared_ptr<Cursor>* cursor);

  // Says that an iteration has begun: Latest speaks of it, also when it is gone.
  void Begin(std::shared_ptr<BatchStream> iteration);
  // Where the iteration begun last stands; before one, where it will begin.
  Progress Latest() const;
  // Of a growing data set, what an epoch is: empty if it has not begun.
  std::string FingerprintOf(int64_t epoch) const;
  // Where the next iteration will begin; of a growing data set, begins that epoch,
  // unless ranks share a listing: then Move does.
  Result<Progress> BeginNext();
  // Makes the epoch what it was when it began in another process.
  Status Resume(int64_t epoch, const std::string& fingerprint);
  // Of each source, what its filter leaves, serialized: counts it if need be. A cursor
  // must be there.
  Result<std::vector<std::string>> CountRows();
  // What CountRows would return, which somebody else has counted.
  Status LoadRows(const std::vector<std::string_view>& survivors);
  // What all of them have done in this process. A cursor must be there.
  Stats stats() const;
  // Makes the next iteration begin at `progress`. A cursor must be there.
  void Move(const Progress& progress);

  // The next epoch to hand out after an iterator is restored whose state says
  // `next_epoch`: the highest that any iterator of the same restored pipeline says. A
  // symbolic checkpoint holds states of several moments, and only the latest knows all
  // epochs that were taken. `pipeline` tells one restored pipeline from another; with
  // the first of its iterators Latest forgets the iteration from before.
  int64_t RestoredNextEpoch(const std::weak_ptr<void>& pipeline, int64_t next_epoch);

  std::string DebugString() const override { return "rowfeed cursor"; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Cursor> cursor_;
  std::shared_ptr<BatchStream> latest_;
  std::weak_ptr<void> restored_pipeline_;
  int64_t restored_next_epoch_ = 0;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_CURSOR_RESOURCE_H_
