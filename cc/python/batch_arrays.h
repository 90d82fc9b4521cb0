// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_BATCH_ARRAYS_H_
#define ROWFEED_PYTHON_BATCH_ARRAYS_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/batch.h"
#include "core/stream/batch_layout.h"

namespace rowfeed {

// Makes NumPy arrays of batches, without a copy: they keep the batch's memory.
class BatchArrays {
 public:
  explicit BatchArrays(std::vector<Output> outputs);

  // (arrays, valid or None); an array for each output, and for ragged ones a tuple of
  // the values and the splits of each level.
  pybind11::tuple Of(Batch batch) const;

 private:
  pybind11::object Array(const Batch& batch, size_t i,
                         const pybind11::capsule& base) const;
  pybind11::array Columns(const Batch& batch, size_t i,
                          const pybind11::capsule& base) const;
  pybind11::array Values(size_t i, int64_t size, uint8_t* data,
                         const pybind11::capsule& base) const;

  const std::vector<Output> outputs_;
  std::vector<pybind11::dtype> dtypes_;  // made once, not once per batch
  pybind11::dtype offsets_dtype_;
  pybind11::dtype valid_dtype_;
};

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_BATCH_ARRAYS_H_
