// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/element.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/decode/blocks/inline_string.h"
#include "tensorflow/core/framework/allocation_description.pb.h"
#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/framework/variant.h"
#include "tensorflow/core/kernels/ragged_tensor_variant.h"
#include "tensorflow/core/platform/tstring.h"
#include "tensorflow/string_buffer.h"

namespace rowfeed::tfdata {
namespace {

using tensorflow::DataType;
using tensorflow::Tensor;
using tensorflow::TensorShape;

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
    case DType::kBFloat16:
      return tensorflow::DT_BFLOAT16;
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

// A part of a batch's memory. Because OwnsMemory is false, TensorFlow neither writes to
// such a tensor nor reuses it for an output. It may write to a slice that nobody else
// has.
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

// Memory of tstrings that own nothing, unless a kernel has written to a slice of them.
class InlineStringBuffer : public BatchBuffer {
 public:
  using BatchBuffer::BatchBuffer;
  ~InlineStringBuffer() override {
    auto* const strings = base<tensorflow::tstring>();
    const size_t num_strings = size() / sizeof(tensorflow::tstring);
    bool are_small = true;
    for (size_t i = 0; i < num_strings; ++i) {
      are_small &= strings[i].type() == tensorflow::tstring::SMALL;
    }
    if (!are_small) std::destroy_n(strings, num_strings);
  }
};

// Returns a tensor of the batch's memory. `size`: bytes of the elements, which own
// nothing.
template <typename Buffer = BatchBuffer>
Tensor View(DataType dtype, const TensorShape& shape, void* data, size_t size,
            const Batch& batch) {
  // An empty tensor needs no memory, and a batch may have none for it.
  if (size == 0) return Tensor(dtype, shape);
  // Kernels rely on the alignment of a tensor. Batches that share an arena lack it.
  if (reinterpret_cast<uintptr_t>(data) % EIGEN_MAX_ALIGN_BYTES != 0) {
    Tensor copy(dtype, shape);
    std::memcpy(copy.data(), data, size);
    return copy;
  }
  tensorflow::core::RefCountPtr<tensorflow::TensorBuffer> buffer(
      new Buffer(data, size, batch.owner));
  return Tensor(dtype, shape, std::move(buffer));
}

Tensor Numbers(DataType dtype, const TensorShape& shape, void* data,
               const Batch& batch) {
  const size_t size = shape.num_elements() * tensorflow::DataTypeSize(dtype);
  return View(dtype, shape, data, size, batch);
}

// Returns a tensor of strings that lie in the batch as tstrings already.
Tensor InlineStrings(const TensorShape& rows, InlineString* strings,
                     const Batch& batch) {
  static_assert(sizeof(InlineString) == sizeof(tensorflow::tstring));
  static_assert(InlineString::kMaxSize == TF_TString_SmallCapacity);
  return View<InlineStringBuffer>(tensorflow::DT_STRING, rows, strings,
                                  batch.num_rows * sizeof(InlineString), batch);
}

Tensor Strings(const TensorShape& shape, const uint8_t* bytes, const Splits& splits,
               const Batch& batch) {
  if (shape.num_elements() == 0) return Tensor(tensorflow::DT_STRING, shape);
  tensorflow::core::RefCountPtr<tensorflow::TensorBuffer> buffer(
      new StringBuffer(bytes, splits, batch.owner));
  return Tensor(tensorflow::DT_STRING, shape, std::move(buffer));
}

// Makes tensors of the row splits of one batch. A list of lists and its mask have some
// splits in common. These are one tensor; otherwise TensorFlow would not know of all
// readers when it writes to one in place.
class SplitTensors {
 public:
  Tensor Get(const Splits& splits, const Batch& batch) {
    const auto [made, is_new] = made_.try_emplace(splits.data);
    if (is_new) {
      made->second = Numbers(tensorflow::DT_INT64, {splits.size}, splits.data, batch);
    }
    return made->second;
  }

 private:
  std::unordered_map<const int64_t*, Tensor> made_;
};

Tensor Ragged(Tensor values, const std::vector<Splits>& splits, const Batch& batch,
              SplitTensors* made) {
  std::vector<Tensor> nested;
  nested.reserve(splits.size());
  for (const Splits& level : splits) nested.push_back(made->Get(level, batch));
  Tensor ragged(tensorflow::DT_VARIANT, TensorShape({}));
  ragged.scalar<tensorflow::Variant>()() =
      tensorflow::RaggedTensorVariant(std::move(values), nested);
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

// Whether the output is a RaggedTensor. Without a batch dimension, a list of values is
// a plain tensor.
bool IsRagged(const Column& column, bool batched) {
  return column.ragged_rank > (batched ? 0 : 1);
}

Tensor OutputTensor(const Output& output, const Batch& batch, const TensorShape& rows,
                    bool batched, SplitTensors* made) {
  const Column& column = output.column;
  const BatchPart& part = batch.parts[output.values];
  if (part.strings != nullptr) return InlineStrings(rows, part.strings, batch);
  uint8_t* data = part.data;
  std::vector<Splits> splits = SplitsOf(output, batch);
  TensorShape shape;
  if (column.ragged_rank > 0) {
    shape.AddDim(
        splits[column.ragged_rank - 1].data[splits[column.ragged_rank - 1].size - 1]);
  } else if (batched) {
    shape.AddDim(batch.num_rows);
  }
  Tensor values;
  if (column.is_bytes()) {
    values = Strings(shape, data, splits.back(), batch);
    splits.pop_back();
  } else {
    for (const int64_t size : column.dense_shape) shape.AddDim(size);
    values = Numbers(ToDataType(column.dtype), shape, data, batch);
  }
  if (!IsRagged(column, batched)) return values;
  if (!batched) splits.erase(splits.begin());
  return Ragged(std::move(values), splits, batch, made);
}

}  // namespace

absl::Status ElementLayout::Validate(size_t num_outputs, size_t num_components) const {
  if (components.size() != num_components) {
    return absl::InvalidArgumentError(absl::StrCat("components has ", components.size(),
                                                   " entries, output_types ",
                                                   num_components));
  }
  for (const int component : components) {
    if (component < kWeight || component >= static_cast<int>(num_outputs)) {
      return absl::InvalidArgumentError(
          absl::StrCat("components names output ", component, " of ", num_outputs));
    }
  }
  return absl::OkStatus();
}

absl::Status ElementLayout::CheckTypes(const std::vector<Output>& outputs,
                                       const tensorflow::DataTypeVector& dtypes) const {
  for (size_t i = 0; i < components.size(); ++i) {
    if (components[i] < 0) continue;
    const Column& column = outputs[components[i]].column;
    if (outputs[components[i]].num_columns > 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stack '", column.name, "' lies by columns, which no tensor can"));
    }
    const DataType dtype =
        IsRagged(column, batched) ? tensorflow::DT_VARIANT : ToDataType(column.dtype);
    if (dtype != dtypes[i]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "column '", column.name, "' is ", tensorflow::DataTypeString(dtype),
          " but the graph expects ", tensorflow::DataTypeString(dtypes[i])));
    }
  }
  return absl::OkStatus();
}

void MakeElement(const ElementLayout& layout, const std::vector<Output>& outputs,
                 const Batch& batch, std::vector<Tensor>* element) {
  TensorShape rows;
  if (layout.batched) rows.AddDim(batch.num_rows);
  element->reserve(layout.components.size());
  SplitTensors made;
  for (const int component : layout.components) {
    if (component == ElementLayout::kValid) {
      element->push_back(Numbers(tensorflow::DT_BOOL, rows, batch.valid, batch));
    } else if (component == ElementLayout::kWeight) {
      element->push_back(Weights(rows, batch));
    } else {
      element->push_back(
          OutputTensor(outputs[component], batch, rows, layout.batched, &made));
    }
  }
}

}  // namespace rowfeed::tfdata
