// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_CURSOR_RESOURCE_H_
#define ROWFEED_TENSORFLOW_CURSOR_RESOURCE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/catalog/catalog.h"
#include "core/stream/dataset_place.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/options.h"
#include "tensorflow/core/framework/resource_base.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/platform/refcount.h"

namespace rowfeed::tfdata {

// Makes a cursor for iterations with these options.
std::shared_ptr<Cursor> MakeCursor(SourceRows sources, const StreamOptions& options,
                                   int64_t first_epoch);

// Holds the place of a dataset, with the cursor that all copies of one Python dataset
// share. Its name is part of the graph. Python gives it the place. In a process that
// got only the graph (a worker of the tf.data service), the first iterator opens the
// data again. Thread-safe.
class CursorResource : public tensorflow::ResourceBase {
 public:
  // Where the data of one source is, and which fingerprint it must have.
  struct Source {
    std::vector<CatalogFile> files;  // only path, name and partitions are set
    std::string fingerprint;
    // The selected row groups: the number of the file in `files`, and that of the row
    // group within the file. Empty: all row groups of the files.
    std::vector<std::pair<int64_t, int64_t>> selected;
  };

  // Finds the resource called `name`, or makes it without a place.
  static absl::Status FindOrMake(tensorflow::ResourceMgr* resources,
                                 const std::string& name,
                                 tensorflow::core::RefCountPtr<CursorResource>* result);

  void Give(std::shared_ptr<DatasetPlace> place);
  // Whether there is a place: one that was given, or that Open has made.
  bool has_place() const;
  // Returns the place, and opens the data if there is none. FailedPrecondition: the
  // data is not that of the graph.
  absl::Status Open(const std::vector<Source>& sources, const StreamOptions& options,
                    int64_t first_epoch, std::shared_ptr<DatasetPlace>* place);

  std::string DebugString() const override { return "rowfeed cursor"; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<DatasetPlace> place_;
};

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_CURSOR_RESOURCE_H_
