// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_PACKED_BATCH_H_
#define ROWFEED_PYTHON_PACKED_BATCH_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/batch/batch.h"
#include "core/stream/epochs/cursor.h"
#include "python/batch_tensors.h"

namespace rowfeed {

// A batch that goes to a device in one copy. First its tensors' bytes are put one after
// the other into the caller's memory. Then the tensors are made in a copy of that
// memory, on any device.
class PackedBatch {
 public:
  // `tensors` must have an exchange. `cursor` counts the time that the copy takes.
  PackedBatch(Batch batch, std::shared_ptr<const BatchTensors> tensors,
              std::shared_ptr<Cursor> cursor);

  int64_t num_bytes() const { return num_bytes_; }

  // Writes num_bytes() to the address `target`. Releases the GIL if that takes a while.
  void CopyTo(uintptr_t target) const;

  // Returns what BatchTensors::Of returns, with the memory of `arena`. `arena` is a
  // tensor of the exchange's library, on any device, that has or will have the bytes of
  // CopyTo. The returned tensors keep its memory.
  pybind11::tuple In(pybind11::handle arena) const;

 private:
  struct Extent {
    const void* data;
    int64_t size;
    int64_t offset;  // where it lies in the arena
  };
  class ExtentMaker;
  class ArenaMaker;

  const Batch batch_;
  const std::shared_ptr<const BatchTensors> tensors_;
  const std::shared_ptr<Cursor> cursor_;
  std::vector<Extent> extents_;  // one for each tensor, in the order of their making
  int64_t num_bytes_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_PACKED_BATCH_H_
