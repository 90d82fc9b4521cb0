// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "python/tensor_maker.h"

#include <pybind11/numpy.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/catalog/schema/dtypes.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

constexpr int kNumPyHalf = 23;  // NPY_HALF

py::dtype NumPyType(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return py::dtype::of<bool>();
    case DType::kInt8:
      return py::dtype::of<int8_t>();
    case DType::kInt16:
      return py::dtype::of<int16_t>();
    case DType::kInt32:
      return py::dtype::of<int32_t>();
    case DType::kInt64:
      return py::dtype::of<int64_t>();
    case DType::kUInt8:
    case DType::kString:
    case DType::kBinary:
      return py::dtype::of<uint8_t>();
    case DType::kUInt16:
    case DType::kBFloat16:
      return py::dtype::of<uint16_t>();
    case DType::kUInt32:
      return py::dtype::of<uint32_t>();
    case DType::kUInt64:
      return py::dtype::of<uint64_t>();
    case DType::kFloat16:
      return py::dtype(kNumPyHalf);
    case DType::kFloat32:
      return py::dtype::of<float>();
    case DType::kFloat64:
      return py::dtype::of<double>();
  }
  throw py::type_error("no such dtype");
}

dlpack::DataType::Code CodeOf(DType dtype) {
  using Type = dlpack::DataType;
  switch (KindOf(dtype)) {
    case DTypeKind::kBool:
      return Type::kBool;
    case DTypeKind::kInt:
      return Type::kInt;
    case DTypeKind::kFloat:
      return dtype == DType::kBFloat16 ? Type::kBFloat : Type::kFloat;
    case DTypeKind::kUInt:
    case DTypeKind::kBytes:
      break;
  }
  return Type::kUInt;
}

// What a tensor of an exchange holds: its DLPack struct, and the owner of its memory.
// Shape and strides lie directly after it, so that a batch's many tensors take one
// allocation each.
struct Managed {
  static Managed* New(size_t rank) {
    return new (::operator new(sizeof(Managed) + 2 * rank * sizeof(int64_t))) Managed;
  }
  static void Delete(dlpack::ManagedTensor* managed) {
    auto* self = static_cast<Managed*>(managed->manager_ctx);
    self->~Managed();
    ::operator delete(self);
  }
  int64_t* sizes() { return reinterpret_cast<int64_t*>(this + 1); }

  dlpack::ManagedTensor managed;
  std::shared_ptr<void> owner;
};

}  // namespace

ArrayMaker::ArrayMaker(std::shared_ptr<void> owner)
    : base_(new std::shared_ptr<void>(std::move(owner)),
            [](void* kept) { delete static_cast<std::shared_ptr<void>*>(kept); }) {}

py::object ArrayMaker::Make(DType dtype, std::span<const int64_t> shape,
                            std::span<const int64_t> strides, void* data) {
  const py::dtype type = NumPyType(dtype);
  std::vector<py::ssize_t> byte_strides(strides.begin(), strides.end());
  for (py::ssize_t& stride : byte_strides) stride *= type.itemsize();
  return py::array(type, std::vector<py::ssize_t>(shape.begin(), shape.end()),
                   std::move(byte_strides), data, base_);
}

py::object ExchangeMaker::Make(DType dtype, std::span<const int64_t> shape,
                               std::span<const int64_t> strides, void* data) {
  Managed* const made = Managed::New(shape.size());
  int64_t* const sizes = made->sizes();
  int64_t* const steps = std::copy(shape.begin(), shape.end(), sizes);
  std::copy(strides.begin(), strides.end(), steps);
  made->owner = owner_;
  dlpack::ManagedTensor& managed = made->managed;
  managed.version = {1, 0};
  managed.manager_ctx = made;
  managed.deleter = Managed::Delete;
  managed.flags = 0;
  const auto bits = static_cast<uint8_t>(8 * ElementSize(dtype));
  managed.tensor = {.data = data,
                    .device = device_,
                    .ndim = static_cast<int32_t>(shape.size()),
                    .dtype = {CodeOf(dtype), bits, 1},
                    .shape = sizes,
                    .strides = steps,
                    .byte_offset = 0};
  void* tensor = nullptr;
  // DLPack does not say who frees the tensor if this fails. So it may be lost, but it
  // is not freed twice.
  if (exchange_->managed_tensor_to_py_object(&managed, &tensor) != 0) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::object>(static_cast<PyObject*>(tensor));
}

const dlpack::Exchange* FindExchange(py::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), dlpack::kExchangeName) == 0) return nullptr;
  const auto* exchange = static_cast<const dlpack::Exchange*>(
      PyCapsule_GetPointer(capsule.ptr(), dlpack::kExchangeName));
  while (exchange != nullptr && exchange->version.major != 1) {
    exchange = exchange->previous;
  }
  return exchange;
}

}  // namespace rowfeed
