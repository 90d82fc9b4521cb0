// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_BATCH_TENSORS_H_
#define ROWFEED_PYTHON_BATCH_TENSORS_H_

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "core/batch/batch.h"
#include "core/stream/options/batch_layout.h"
#include "python/dlpack.h"
#include "python/tensor_maker.h"

namespace rowfeed {

// Makes the tensors of batches without a copy. The tensors keep the batch's memory.
class BatchTensors {
 public:
  // Makes arrays of NumPy, or tensors of the library whose DLPack exchange is given.
  BatchTensors(std::vector<Output> outputs,
               const std::optional<pybind11::capsule>& exchange);

  // Returns (tensors, valid or None). There is a tensor for each output; for a ragged
  // one, a tuple of the values and the splits of each level.
  pybind11::tuple Of(Batch batch) const;

  // Does the same with another maker. It makes one tensor after the other, always in
  // the same order.
  pybind11::tuple MakeAll(const Batch& batch, TensorMaker* maker) const;

  const dlpack::Exchange* exchange() const { return exchange_; }

 private:
  static pybind11::object Tensor(const Output& output, const Batch& batch,
                                 TensorMaker* maker);

  const std::vector<Output> outputs_;
  const dlpack::Exchange* exchange_ = nullptr;
};

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_BATCH_TENSORS_H_
