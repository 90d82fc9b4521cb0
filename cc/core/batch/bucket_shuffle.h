// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BUCKET_SHUFFLE_H_
#define ROWFEED_CORE_BATCH_BUCKET_SHUFFLE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan/delivery.h"

namespace rowfeed {

// Shuffles a window whose columns are larger than the CPU's caches, in two steps that
// each read at random only what a cache holds. First, the rows of each slice of the
// window go to the end of the buckets that their places lie in. Then the rows of each
// bucket go to their places. (This is a radix sort by place, with one digit, whose
// counts are known.) It is made once for each window and used by every column.
//
// A place is the number of a row among those that the runs want, counted through all
// runs.
class BucketShuffle {
 public:
  // Number of rows of a slice, and of a bucket. 16 bits tell them apart, and with eight
  // bytes for each of them they take half a megabyte.
  static constexpr int64_t kSize = int64_t{1} << 16;

  BucketShuffle(const std::vector<uint32_t>& permutation, const std::vector<Run>& runs);

  int64_t num_buckets() const { return num_buckets_; }
  // Returns which rows of the slice go to the bucket, in the order in which they arrive
  // there.
  std::span<const uint16_t> rows(int64_t slice, int64_t bucket) const {
    const uint32_t* begin = &row_begins_[slice * (num_buckets_ + 1) + bucket];
    return {rows_.data() + begin[0], begin[1] - begin[0]};
  }
  // Returns, for each place of the bucket, which of its rows belongs there. Rows are
  // numbered as they arrive.
  std::span<const uint16_t> sources(int64_t bucket) const;

 private:
  int64_t num_buckets_;
  std::vector<uint16_t> rows_;  // ordered by slice, then by bucket
  std::vector<uint32_t> row_begins_;
  std::vector<uint16_t> sources_;  // indexed by place
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BUCKET_SHUFFLE_H_
