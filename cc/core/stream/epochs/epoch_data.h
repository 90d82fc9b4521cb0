// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_EPOCH_DATA_H_
#define ROWFEED_CORE_STREAM_EPOCHS_EPOCH_DATA_H_

#include "core/export.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// What the rows of an epoch depend on. The rooms that read an epoch ask this rather
// than whether the data set grows.
struct EpochData {
  // Whether each epoch is listed anew. How many rows it has is known only when it has
  // begun; another epoch may have more or fewer.
  bool is_listed_anew = false;
  // Whether files that were listed may be gone when they are read. That is no error:
  // batches have fill in the place of the lost rows.
  bool may_lose_rows = false;
};

ROWFEED_EXPORT EpochData EpochDataOf(const StreamOptions& options);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_EPOCH_DATA_H_
