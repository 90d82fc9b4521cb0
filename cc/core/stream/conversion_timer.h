// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_CONVERSION_TIMER_H_
#define ROWFEED_CORE_STREAM_CONVERSION_TIMER_H_

#include <cstdint>

#include "core/batch/batch.h"
#include "core/stopwatch.h"
#include "core/stream/batch_stream.h"

namespace rowfeed {

// Counts how long an adapter takes to make tensors of batches. For batches of a single
// row, reading the clock would take a good part of that time. So one such batch in 64
// is timed, and stands for all of them.
class ConversionTimer {
 public:
  void Begin(const Batch& batch) {
    weight_ = 1;
    if (batch.num_rows == 1) weight_ = ++num_singles_ % kOneIn == 0 ? kOneIn : 0;
    if (weight_ > 0) watch_ = Stopwatch();
  }
  void End(BatchStream* stream) const {
    if (weight_ > 0) stream->Add(Count::kConvert, weight_ * watch_.ns());
  }

 private:
  static constexpr int64_t kOneIn = 64;

  int64_t num_singles_ = 0;
  // Number of batches that the current one stands for; 0: not timed.
  int64_t weight_ = 0;
  Stopwatch watch_{Stopwatch::Clock::time_point()};
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_CONVERSION_TIMER_H_
