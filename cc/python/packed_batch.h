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

// A batch on its way to a device, in one copy: its tensors lie one behind the other in
// memory of the caller's, and are made in a copy of that, wherever it is.
class PackedBatch {
 public:
  // `tensors` has an exchange; `cursor` counts what this takes.
  PackedBatch(Batch batch, std::shared_ptr<const BatchTensors> tensors,
              std::shared_ptr<Cursor> cursor);

  int64_t num_bytes() const { return num_bytes_; }

  // Fills num_bytes() of memory at `target`; without the GIL if that takes a while.
  void CopyTo(uintptr_t target) const;

  // As BatchTensors::Of, in `arena`: a tensor of the exchange's library, on any device,
  // that has or will have what CopyTo gave. The tensors keep its memory.
  pybind11::tuple In(pybind11::handle arena) const;

 private:
  struct Extent {
    const void* data;
    int64_t size;
    int64_t offset;  // in the arena
  };
  class ExtentMaker;
  class ArenaMaker;

  const Batch batch_;
  const std::shared_ptr<const BatchTensors> tensors_;
  const std::shared_ptr<Cursor> cursor_;
  std::vector<Extent> extents_;  // of the tensors, in the order in which they are made
  int64_t num_bytes_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_PACKED_BATCH_H_
