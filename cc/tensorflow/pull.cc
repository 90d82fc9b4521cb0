// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/pull.h"

#include <chrono>

#include "tensorflow/tf_status.h"
#include "tsl/profiler/lib/traceme.h"

namespace rowfeed::tfdata {

absl::Status Pull(BatchStream* stream, Batch* batch, bool* end) {
  const tsl::profiler::TraceMe trace("Rowfeed::Pull");
  BatchStream::Pull pulled = BatchStream::Pull::kTimeout;
  while (pulled == BatchStream::Pull::kTimeout) {
    ROWFEED_TF_ASSIGN_OR_RETURN(pulled, stream->Next(std::chrono::hours(1), batch));
  }
  *end = pulled == BatchStream::Pull::kEnd;
  return absl::OkStatus();
}

}  // namespace rowfeed::tfdata
