// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/batch_arrays.h"

#include <memory>
#include <utility>

#include "core/catalog/column.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

// The bits of bfloat16, which NumPy has not: the faces give them their type.
const char* NumPyName(DType dtype) {
  switch (dtype) {
    case DType::kString:
    case DType::kBinary:
      return "uint8";
    case DType::kBFloat16:
      return "uint16";
    default:
      return DTypeName(dtype);
  }
}

// An object that keeps a batch's memory: the base of all arrays that look into it.
py::capsule Keep(std::shared_ptr<void> owner) {
  return {new std::shared_ptr<void>(std::move(owner)),
          [](void* kept) { delete static_cast<std::shared_ptr<void>*>(kept); }};
}

}  // namespace

BatchArrays::BatchArrays(std::vector<Output> outputs)
    : outputs_(std::move(outputs)),
      offsets_dtype_(py::dtype::of<int64_t>()),
      valid_dtype_(py::dtype::of<bool>()) {
  for (const Output& output : outputs_) {
    dtypes_.emplace_back(NumPyName(output.column.dtype));
  }
}

py::tuple BatchArrays::Of(Batch batch) const {
  const py::capsule base = Keep(std::move(batch.owner));
  py::list arrays(outputs_.size());
  for (size_t i = 0; i < outputs_.size(); ++i) arrays[i] = Array(batch, i, base);
  py::object valid = py::none();
  if (batch.valid != nullptr) {
    valid = py::array(valid_dtype_, {batch.num_rows}, {}, batch.valid, base);
  }
  return py::make_tuple(std::move(arrays), std::move(valid));
}

py::object BatchArrays::Array(const Batch& batch, size_t i,
                              const py::capsule& base) const {
  const Output& output = outputs_[i];
  uint8_t* data = batch.parts[output.values].data;
  if (output.num_columns > 0) return Columns(batch, i, base);
  if (!output.column.is_variable()) return Values(i, batch.num_rows, data, base);
  const std::vector<Splits> splits = SplitsOf(output, batch);
  py::tuple arrays(splits.size() + 1);
  const Splits& last = splits.back();
  arrays[0] = Values(i, last.data[last.size - 1], data, base);
  for (size_t level = 0; level < splits.size(); ++level) {
    arrays[level + 1] =
        py::array(offsets_dtype_, {splits[level].size}, {}, splits[level].data, base);
  }
  return arrays;
}

// [rows, columns], a column side by side.
py::array BatchArrays::Columns(const Batch& batch, size_t i,
                               const py::capsule& base) const {
  const Output& output = outputs_[i];
  uint8_t* data = batch.parts[output.values].data;
  const auto num_columns = static_cast<py::ssize_t>(output.num_columns);
  const py::ssize_t stride =
      num_columns > 1 ? batch.parts[output.values + 1].data - data : 0;
  const std::vector<py::ssize_t> shape = {batch.num_rows, num_columns};
  const std::vector<py::ssize_t> strides = {dtypes_[i].itemsize(), stride};
  return {dtypes_[i], shape, strides, data, base};
}

// An array of `size` units.
py::array BatchArrays::Values(size_t i, int64_t size, uint8_t* data,
                              const py::capsule& base) const {
  const Column& column = outputs_[i].column;
  std::vector<py::ssize_t> shape = {size};
  shape.insert(shape.end(), column.dense_shape.begin(), column.dense_shape.end());
  return {dtypes_[i], std::move(shape), {}, data, base};
}

}  // namespace rowfeed
