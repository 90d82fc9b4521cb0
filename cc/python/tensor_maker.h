// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_TENSOR_MAKER_H_
#define ROWFEED_PYTHON_TENSOR_MAKER_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "core/catalog/schema/column.h"
#include "python/dlpack.h"

namespace rowfeed {

// Makes tensors of the memory of one batch, without a copy. The tensors keep the
// memory.
class TensorMaker {
 public:
  TensorMaker() = default;
  TensorMaker(const TensorMaker&) = delete;
  TensorMaker& operator=(const TensorMaker&) = delete;
  virtual ~TensorMaker() = default;

  // Makes one tensor. Strides are counted in elements. A dtype of strings stands for
  // their bytes, as uint8.
  virtual pybind11::object Make(DType dtype, std::span<const int64_t> shape,
                                std::span<const int64_t> strides, void* data) = 0;
};

// Makes NumPy arrays. bfloat16, which NumPy does not have, becomes uint16 with its
// bits.
class ArrayMaker : public TensorMaker {
 public:
  explicit ArrayMaker(std::shared_ptr<void> owner);
  pybind11::object Make(DType dtype, std::span<const int64_t> shape,
                        std::span<const int64_t> strides, void* data) override;

 private:
  const pybind11::capsule base_;
};

// Makes tensors of the library that the exchange belongs to, on the device of the
// memory.
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

// Returns the exchange of DLPack 1 that `capsule` holds or leads to; nullptr if there
// is none, or `capsule` is something else.
const dlpack::Exchange* FindExchange(pybind11::handle capsule);

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_TENSOR_MAKER_H_
