// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/element.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tensorflow/core/framework/allocation_description.pb.h"
#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/framework/variant.h"
#include "tensorflow/core/kernels/ragged_tensor_variant.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::DataType;
using tensorflow::Tensor;
using tensorflow::TensorShape;
using tensorflow::tstring;

DataType ToDataType(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return tensorflow::DT_BOOL;
    case DType::kInt8:
      return tensorflow::DT_INT8;
    case DType::kInt16:
      return tensorflow::DT_INT16;
    case DType::kInt32:
      return tensorflow::DT_INT32;
    case DType::kInt64:
      return tensorflow::DT_INT64;
    case DType::kUInt8:
      return tensorflow::DT_UINT8;
    case DType::kUInt16:
      return tensorflow::DT_UINT16;
    case DType::kUInt32:
      return tensorflow::DT_UINT32;
    case DType::kUInt64:
      return tensorflow::DT_UINT64;
    case DType::kFloat16:
      return tensorflow::DT_HALF;
    case DType::kFloat32:
      return tensorflow::DT_FLOAT;
    case DType::kFloat64:
      return tensorflow::DT_DOUBLE;
    case DType::kString:
    case DType::kBinary:
      return tensorflow::DT_STRING;
  }
  return tensorflow::DT_INVALID;
}

// A part of a batch's memory. TensorFlow never writes to it or hands it on in place,
// since OwnsMemory is false.
class BatchBuffer : public tensorflow::TensorBuffer {
 public:
  BatchBuffer(void* data, size_t size, std::shared_ptr<void> owner)
      : TensorBuffer(data), size_(size), owner_(std::move(owner)) {}

  size_t size() const override { return size_; }
  TensorBuffer* root_buffer() override { return this; }
  bool OwnsMemory() const override { return false; }
  bool GetAllocatedBytes(size_t* bytes) const override {
    *bytes = size_;
    return true;
  }
  void FillAllocationDescription(
      tensorflow::AllocationDescription* proto) const override {
    proto->set_requested_bytes(static_cast<int64_t>(size_));
    proto->set_allocator_name("rowfeed");
  }

 private:
  const size_t size_;
  const std::shared_ptr<void> owner_;
};

Tensor View(DataType dtype, const TensorShape& shape, void* data, const Batch& batch) {
  // An empty tensor needs no memory, and a batch may have none for it.
  if (shape.num_elements() == 0) return Tensor(dtype, shape);
  const size_t size = shape.num_elements() * tensorflow::DataTypeSize(dtype);
  // Kernels take a tensor's alignment for granted; the rows that share an arena lack
  // it.
  if (reinterpret_cast<uintptr_t>(data) % EIGEN_MAX_ALIGN_BYTES != 0) {
    Tensor copy(dtype, shape);
    std::memcpy(copy.data(), data, size);
    return copy;
  }
  tensorflow::core::RefCountPtr<tensorflow::TensorBuffer> buffer(
      new BatchBuffer(data, size, batch.owner));
  return Tensor(dtype, shape, std::move(buffer));
}

Tensor Strings(const TensorShape& shape, const BatchColumn& column,
               const Batch& batch) {
  using Owner = tstring::owner<std::shared_ptr<void>>;
  Tensor tensor(tensorflow::DT_STRING, shape);
  auto strings = tensor.flat<tstring>();
  const tensorflow::core::RefCountPtr<Owner> owner(new Owner(batch.owner));
  const char* data = reinterpret_cast<const char*>(column.data);
  for (int64_t i = 0; i < batch.num_rows; ++i) {
    const char* begin = data + column.offsets[i];
    const auto size = static_cast<size_t>(column.offsets[i + 1] - column.offsets[i]);
    if (size <= TF_TString_SmallCapacity) {
      strings(i).assign(begin, size);
    } else {
      strings(i).assign_as_shared_view(begin, size, owner.get());
    }
  }
  return tensor;
}

Tensor Ragged(Tensor values, const BatchColumn& column, const Batch& batch) {
  Tensor splits =
      View(tensorflow::DT_INT64, {batch.num_rows + 1}, column.offsets, batch);
  Tensor ragged(tensorflow::DT_VARIANT, TensorShape({}));
  ragged.scalar<tensorflow::Variant>()() =
      tensorflow::RaggedTensorVariant(std::move(values), {std::move(splits)});
  return ragged;
}

Tensor Weights(const TensorShape& shape, const Batch& batch) {
  Tensor tensor(tensorflow::DT_FLOAT, shape);
  auto weights = tensor.flat<float>();
  for (int64_t i = 0; i < batch.num_rows; ++i) {
    weights(i) = static_cast<float>(batch.valid[i]);
  }
  return tensor;
}

Tensor ColumnTensor(const Column& column, const BatchColumn& data, const Batch& batch,
                    bool batched) {
  TensorShape shape;
  if (batched) shape.AddDim(batch.num_rows);
  if (column.is_bytes()) return Strings(shape, data, batch);
  const DataType dtype = ToDataType(column.dtype);
  if (column.shape == RowShape::kRagged) {
    Tensor values = View(dtype, {data.offsets[batch.num_rows]}, data.data, batch);
    return batched ? Ragged(std::move(values), data, batch) : values;
  }
  if (column.shape == RowShape::kDense) shape.AddDim(column.list_size);
  return View(dtype, shape, data.data, batch);
}

}  // namespace

absl::Status ElementLayout::Validate(size_t num_columns, size_t num_outputs) const {
  if (components.size() != num_outputs) {
    return absl::InvalidArgumentError(absl::StrCat(
        "components has ", components.size(), " entries, output_types ", num_outputs));
  }
  for (const int component : components) {
    if (component < kWeight || component >= static_cast<int>(num_columns)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "components names column ", component, " of ", num_columns, " columns"));
    }
  }
  return absl::OkStatus();
}

absl::Status ElementLayout::CheckTypes(const std::vector<Column>& columns,
                                       const tensorflow::DataTypeVector& dtypes) const {
  for (size_t i = 0; i < components.size(); ++i) {
    if (components[i] < 0) continue;
    const Column& column = columns[components[i]];
    const bool variant = batched && column.shape == RowShape::kRagged;
    const DataType dtype = variant ? tensorflow::DT_VARIANT : ToDataType(column.dtype);
    if (dtype != dtypes[i]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "column '", column.name, "' is ", tensorflow::DataTypeString(dtype),
          " but the graph expects ", tensorflow::DataTypeString(dtypes[i])));
    }
  }
  return absl::OkStatus();
}

void MakeElement(const ElementLayout& layout, const std::vector<Column>& columns,
                 const Batch& batch, std::vector<Tensor>* element) {
  TensorShape rows;
  if (layout.batched) rows.AddDim(batch.num_rows);
  element->reserve(layout.components.size());
  for (const int component : layout.components) {
    if (component == ElementLayout::kValid) {
      element->push_back(View(tensorflow::DT_BOOL, rows, batch.valid, batch));
    } else if (component == ElementLayout::kWeight) {
      element->push_back(Weights(rows, batch));
    } else {
      element->push_back(ColumnTensor(columns[component], batch.columns[component],
                                      batch, layout.batched));
    }
  }
}

}  // namespace rowfeed::tfdata
