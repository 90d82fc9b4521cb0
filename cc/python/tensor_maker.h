// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_TENSOR_MAKER_H_
#define ROWFEED_PYTHON_TENSOR_MAKER_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "core/catalog/column.h"
#include "python/dlpack.h"

namespace rowfeed {

// Makes tensors of one batch's memory, which they keep, without a copy.
class TensorMaker {
 public:
  TensorMaker() = default;
  TensorMaker(const TensorMaker&) = delete;
  TensorMaker& operator=(const TensorMaker&) = delete;
  virtual ~TensorMaker() = default;

  // Strides are in elements. Bytes of strings are of kUInt8.
  virtual pybind11::object Make(DType dtype, std::span<const int64_t> shape,
                                std::span<const int64_t> strides, void* data) = 0;
};

// NumPy's arrays. The bits of bfloat16, which NumPy has not, are uint16.
class ArrayMaker : public TensorMaker {
 public:
  explicit ArrayMaker(std::shared_ptr<void> owner);
  pybind11::object Make(DType dtype, std::span<const int64_t> shape,
                        std::span<const int64_t> strides, void* data) override;

 private:
  const pybind11::capsule base_;
};

// Tensors of the library whose exchange it is, on the device where the memory lies.
class ExchangeMaker : public TensorMaker {
 public:
  ExchangeMaker(const dlpack::Exchange* exchange, std::shared_ptr<void> owner,
                dlpack::Device device = dlpack::kCpu)
      : exchange_(exchange), owner_(std::move(owner)), device_(device) {}
  pybind11::object Make(DType dtype, std::span<const int64_t> shape,
                        std::span<const int64_t> strides, void* data) override;

 private:
  const dlpack::Exchange* const exchange_;
  const std::shared_ptr<void> owner_;
  const dlpack::Device device_;
};

// The exchange of a version that is known here, which `capsule` holds or leads to;
// nullptr if there is none, or it is something else.
const dlpack::Exchange* FindExchange(pybind11::handle capsule);

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_TENSOR_MAKER_H_
