// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BUCKET_GATHER_H_
#define ROWFEED_CORE_BATCH_BUCKET_GATHER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/batch/bucket_shuffle.h"
#include "core/plan/delivery.h"

namespace rowfeed {

// Gathers the rows of one part of a window by a BucketShuffle. The buckets lie where
// their places do, in the batches, so there is no second copy of the window.
class BucketGather {
 public:
  // `slots`: of each run. What is referred to must outlive it.
  BucketGather(const BucketShuffle* shuffle, const std::vector<Run>* runs,
               std::vector<BatchBuilder::Slots> slots, int64_t width);

  // The first step, of the next slice of the window.
  void AddSlice(const uint8_t* rows);
  // The second, behind the last slice. `scratch` has room for the rows of a bucket.
  void Finish(uint8_t* scratch);

 private:
  // Which row of which run.
  struct NextPlace {
    size_t run = 0;
    int64_t row = 0;
  };

  // Moves on by `count` places, and calls visit(rows, step, size) for those of each
  // run.
  template <typename Visit>
  void Advance(NextPlace* at, int64_t count, const Visit& visit) const;

  const BucketShuffle* shuffle_;
  const std::vector<Run>* runs_;
  std::vector<BatchBuilder::Slots> slots_;
  const int64_t width_;
  int64_t num_slices_ = 0;
  std::vector<NextPlace> ends_;  // of what has come to each bucket
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BUCKET_GATHER_H_
