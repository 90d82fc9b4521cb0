// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_RESTORED_EPOCHS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_RESTORED_EPOCHS_H_

#include <cstdint>
#include <memory>

#include "core/export.h"
#include "core/stream/epochs/cursor.h"

namespace rowfeed {

// The next epoch of a pipeline that is restored from a checkpoint. The states of its
// iterators may be of several moments, and only the latest one knows all epochs that
// were taken: the pipeline goes on with the highest number among them. Not thread-safe.
class ROWFEED_EXPORT RestoredEpochs {
 public:
  // Takes the next epoch of one more restored state, and returns the highest so far of
  // its pipeline. `pipeline` is any object that the pipeline's iterators share, and
  // nobody else; its numbers are forgotten when one of another pipeline comes.
  int64_t Add(const std::weak_ptr<void>& pipeline, int64_t next_epoch);
  // Whether `pipeline` is that of the last Add.
  bool IsCurrent(const std::weak_ptr<void>& pipeline) const;

 private:
  std::weak_ptr<void> pipeline_;
  int64_t next_epoch_ = 0;
};

// Returns the place where the cursor of a restored pipeline goes on: `saved`, which the
// state of an iterator without an epoch has, unless another state of the pipeline knows
// of later epochs.
ROWFEED_EXPORT Progress RestoredPlace(const Progress& saved, int64_t next_epoch);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_RESTORED_EPOCHS_H_
