// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_DLPACK_H_
#define ROWFEED_PYTHON_DLPACK_H_

#include <cstdint>

namespace rowfeed::dlpack {

// The part of the ABI of DLPack 1 (https://dmlc.github.io/dlpack/latest/c_api.html)
// that makes tensors of memory and finds the memory of tensors. A comment at a struct
// is its name there.

struct Version {
  uint32_t major;
  uint32_t minor;
};

struct Device {
  int32_t type;
  int32_t id;
};
constexpr Device kCpu = {1, 0};

struct DataType {
  enum Code : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBFloat = 4, kBool = 6 };

  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {  // DLTensor
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // distances between neighbours, in elements
  uint64_t byte_offset;
};

struct ManagedTensor {  // DLManagedTensorVersioned
  Version version;
  void* manager_ctx;
  void (*deleter)(ManagedTensor* self);
  uint64_t flags;  // 0: the tensor may be written to
  Tensor tensor;
};

// The name of the capsule that a library's tensor type has in
// `__dlpack_c_exchange_api__`.
constexpr char kExchangeName[] = "dlpack_exchange_api";

struct Exchange {  // DLPackExchangeAPI
  Version version;
  const Exchange* previous;  // the exchange of an older major version, or nullptr
  void* managed_tensor_allocator;
  // Makes `*tensor`, with a new reference to the library's tensor. The caller must call
  // its deleter. Needs the GIL. Not 0: a Python error is set.
  int (*managed_tensor_from_py_object)(void* py_object, ManagedTensor** tensor);
  // Makes a new reference to a tensor of the library, which takes `tensor` over. Needs
  // the GIL. Not 0: a Python error is set.
  int (*managed_tensor_to_py_object)(ManagedTensor* tensor, void** py_object);
};

}  // namespace rowfeed::dlpack

#endif  // ROWFEED_PYTHON_DLPACK_H_
