// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_PULL_H_
#define ROWFEED_TENSORFLOW_PULL_H_

#include "absl/status/status.h"
#include "core/batch/batch.h"
#include "core/stream/batch_stream.h"

namespace rowfeed::tfdata {

// Waits for the next batch of `stream`. Sets `*end` if there is none.
// BatchStream::Cancel ends the wait.
absl::Status Pull(BatchStream* stream, Batch* batch, bool* end);

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_PULL_H_
