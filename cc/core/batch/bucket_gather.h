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

// Gathers the rows of one part of a window by a BucketShuffle. A bucket lies in the
// batches, where its rows go in the end, so there is no second copy of the window.
class BucketGather {
 public:
  // `slots`: where the rows of each run go. What the arguments point to must outlive
  // this object.
  BucketGather(const BucketShuffle* shuffle, const std::vector<Run>* runs,
               std::vector<BatchBuilder::Slots> slots, int64_t width);

  // First step: copies the rows of the window's next slice to their buckets.
  void AddSlice(const uint8_t* rows);
  // Second step, after the last slice: brings the rows of each bucket to their places.
  // `scratch` has room for the rows of one bucket.
  void Finish(uint8_t* scratch);

 private:
  // A place in a bucket: row `row` of run `run`.
  struct NextPlace {
    size_t run = 0;
    int64_t row = 0;
  };

  // Moves *at forward by `count` places. Calls visit(rows, step, size) for the part of
  // each run that it passes.
  template <typename Visit>
  void Advance(NextPlace* at, int64_t count, const Visit& visit) const;

  const BucketShuffle* shuffle_;
  const std::vector<Run>* runs_;
  std::vector<BatchBuilder::Slots> slots_;
  const int64_t width_;
  int64_t num_slices_ = 0;
  std::vector<NextPlace> ends_;  // for each bucket, the place after its last row so far
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BUCKET_GATHER_H_
