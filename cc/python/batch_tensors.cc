// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/batch_tensors.h"

#include <cstdint>
#include <utility>

#include "core/catalog/schema/column.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

py::object Vector(TensorMaker* maker, DType dtype, int64_t size, void* data) {
  constexpr int64_t kStride = 1;
  return maker->Make(dtype, {&size, 1}, {&kStride, 1}, data);
}

// Makes a tensor of `size` units that lie one after the other.
py::object Values(TensorMaker* maker, const Column& column, int64_t size, void* data) {
  const auto& inner = column.dense_shape;
  if (inner.empty()) return Vector(maker, column.dtype, size, data);
  std::vector<int64_t> shape = {size};
  shape.insert(shape.end(), inner.begin(), inner.end());
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = inner.size(); i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return maker->Make(column.dtype, shape, strides, data);
}

// Makes a tensor of shape [rows, columns] that lies in memory column by column.
py::object Columns(TensorMaker* maker, const Output& output, const Batch& batch) {
  uint8_t* data = batch.parts[output.values].data;
  const auto num_columns = static_cast<int64_t>(output.num_columns);
  const int64_t stride =
      num_columns > 1 ? batch.parts[output.values + output.part_step].data - data : 0;
  const DType dtype = output.column.dtype;
  const std::vector<int64_t> shape = {batch.num_rows, num_columns};
  const std::vector<int64_t> strides = {1, stride / ElementSize(dtype)};
  return maker->Make(dtype, shape, strides, data);
}

}  // namespace

BatchTensors::BatchTensors(std::vector<Output> outputs,
                           const std::optional<py::capsule>& exchange)
    : outputs_(std::move(outputs)) {
  if (!exchange) return;
  exchange_ = FindExchange(*exchange);
  if (exchange_ == nullptr) throw py::value_error("exchange is none of DLPack 1");
}

py::tuple BatchTensors::Of(Batch batch) const {
  std::shared_ptr<void> owner = std::move(batch.owner);
  if (exchange_ == nullptr) {
    ArrayMaker maker(std::move(owner));
    return MakeAll(batch, &maker);
  }
  ExchangeMaker maker(exchange_, std::move(owner));
  return MakeAll(batch, &maker);
}

py::tuple BatchTensors::MakeAll(const Batch& batch, TensorMaker* maker) const {
  py::list tensors(outputs_.size());
  for (size_t i = 0; i < outputs_.size(); ++i) {
    tensors[i] = Tensor(outputs_[i], batch, maker);
  }
  py::object valid = py::none();
  if (batch.valid != nullptr) {
    valid = Vector(maker, DType::kBool, batch.num_rows, batch.valid);
  }
  return py::make_tuple(std::move(tensors), std::move(valid));
}

py::object BatchTensors::Tensor(const Output& output, const Batch& batch,
                                TensorMaker* maker) {
  if (output.num_columns > 0) return Columns(maker, output, batch);
  void* data = batch.parts[output.values].data;
  if (!output.column.is_variable()) {
    return Values(maker, output.column, batch.num_rows, data);
  }
  const std::vector<Splits> splits = SplitsOf(output, batch);
  py::tuple tensors(splits.size() + 1);
  const Splits& last = splits.back();
  tensors[0] = Values(maker, output.column, last.data[last.size - 1], data);
  for (size_t level = 0; level < splits.size(); ++level) {
    tensors[level + 1] =
        Vector(maker, DType::kInt64, splits[level].size, splits[level].data);
  }
  return tensors;
}

}  // namespace rowfeed
