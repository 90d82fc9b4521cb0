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

// The shuffle of a window whose columns no cache holds, in two steps, each of which
// reads at random only what one does hold: the rows of each slice of the window go to
// the buckets that their places lie in, one behind the other; then those of a bucket go
// to their places. (A radix sort by place, with one digit, whose counts are known.)
// Made once per window and used by every column.
//
// Places are those of the rows that the runs want, counted through all of them.
class BucketShuffle {
 public:
  // Rows of a slice, and of a bucket: what tells them apart takes 16 bits, and eight
  // bytes of each half a megabyte.
  static constexpr int64_t kSize = int64_t{1} << 16;

  BucketShuffle(const std::vector<uint32_t>& permutation, const std::vector<Run>& runs);

  int64_t num_buckets() const { return num_buckets_; }
  // Which rows of the slice the bucket gets, in the order in which they come.
  std::span<const uint16_t> rows(int64_t slice, int64_t bucket) const {
    const uint32_t* begin = &row_begins_[slice * (num_buckets_ + 1) + bucket];
    return {rows_.data() + begin[0], begin[1] - begin[0]};
  }
  // For each place of the bucket, which of its rows belongs there, as they came.
  std::span<const uint16_t> sources(int64_t bucket) const;

 private:
  int64_t num_buckets_;
  std::vector<uint16_t> rows_;  // by slice, then by bucket
  std::vector<uint32_t> row_begins_;
  std::vector<uint16_t> sources_;  // by place
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BUCKET_SHUFFLE_H_
