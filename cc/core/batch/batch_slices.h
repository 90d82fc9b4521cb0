// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_BATCH_SLICES_H_
#define ROWFEED_CORE_BATCH_BATCH_SLICES_H_

#include <cstdint>
#include <vector>

#include "core/batch/batch.h"
#include "core/decode/blocks/part.h"

namespace rowfeed {

// Cuts an arena into the batches that share it. Each batch is a view of the arena.
class BatchSlices {
 public:
  BatchSlices() = default;
  // `parts` must outlive this object.
  BatchSlices(Batch arena, const std::vector<Part>* parts, int64_t batch_size);

  int64_t num_left() const;
  void Skip(int64_t count) { begin_ += count * batch_size_; }
  // Returns the next batch. num_left() must not be 0.
  Batch Next();

 private:
  Batch Slice(int64_t begin, int64_t end) const;

  Batch arena_;
  const std::vector<Part>* parts_ = nullptr;
  int64_t batch_size_ = 1;
  int64_t begin_ = 0;  // the row of the arena at which the next batch begins
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_BATCH_SLICES_H_
