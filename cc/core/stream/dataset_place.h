// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_DATASET_PLACE_H_
#define ROWFEED_CORE_STREAM_DATASET_PLACE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "core/export.h"
#include "core/stream/batch_stream.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/restored_epochs.h"

namespace rowfeed {

// Where a dataset stands whose iterations a framework makes and keeps to itself: the
// cursor from which they take epochs, and the iteration that began last. Thread-safe.
class ROWFEED_EXPORT DatasetPlace {
 public:
  explicit DatasetPlace(std::shared_ptr<Cursor> cursor);
  ~DatasetPlace();
  DatasetPlace(const DatasetPlace&) = delete;
  DatasetPlace& operator=(const DatasetPlace&) = delete;

  const std::shared_ptr<Cursor>& cursor() const { return cursor_; }

  // Tells that an iteration has begun. Latest reports on it from then on, even when its
  // iterator is gone.
  void Begin(std::shared_ptr<BatchStream> iteration);
  // Returns where the iteration that began last stands. If none has begun, where it
  // will.
  Progress Latest() const;
  // Makes the next iteration begin at `progress`.
  void Move(const Progress& progress);
  // Returns the next epoch to hand out, after an iterator was restored whose state has
  // `next_epoch`, as RestoredEpochs tells it. With the first iterator of a pipeline,
  // Latest forgets the iteration from before.
  int64_t RestoredNextEpoch(const std::weak_ptr<void>& pipeline, int64_t next_epoch);

 private:
  const std::shared_ptr<Cursor> cursor_;
  mutable std::mutex mutex_;
  std::shared_ptr<BatchStream> latest_;
  RestoredEpochs restored_;
};

// Leaves a place under a name for another adapter of this process, which takes it.
ROWFEED_EXPORT void LeavePlace(const std::string& name,
                               std::shared_ptr<DatasetPlace> place);
// Returns the place that was left under a name, and forgets it; nullptr if none was.
ROWFEED_EXPORT std::shared_ptr<DatasetPlace> TakePlace(const std::string& name);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_DATASET_PLACE_H_
