// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_BUCKETS_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_BUCKETS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/batch/bucket_shuffle.h"
#include "core/plan/delivery.h"
#include "core/status.h"
#include "core/stream/window/whole_columns.h"
#include "core/stream/window/window_reader.h"

namespace rowfeed {

// Gathers columns of a window that is larger than the CPU's caches, through buckets
// that all columns share. Thread-safe for distinct columns.
class WindowBuckets {
 public:
  // `reader` and `runs` must outlive this object.
  WindowBuckets(const WindowReader* reader, const std::vector<uint32_t>& permutation,
                const std::vector<Run>* runs);

  // Decodes one column, and gathers its rows. `slots`: for each part of the column,
  // where the rows of each run go. Adds to *gather_ns the time that was not spent
  // decoding.
  Status Gather(size_t spec, std::vector<std::vector<BatchBuilder::Slots>> slots,
                WholeColumns* columns, const std::atomic<bool>& cancelled,
                int64_t* gather_ns) const;

 private:
  const WindowReader& reader_;
  const std::vector<Run>& runs_;
  const BucketShuffle shuffle_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_BUCKETS_H_
