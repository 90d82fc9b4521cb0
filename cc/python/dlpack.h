// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_DLPACK_H_
#define ROWFEED_PYTHON_DLPACK_H_

#include <cstdint>

namespace rowfeed::dlpack {

// The ABI of DLPack 1 (https://dmlc.github.io/dlpack/latest/c_api.html), as far as
// tensors are made of memory, and memory found of tensors: its structs by their names
// there.

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
  int64_t* strides;  // in elements
  uint64_t byte_offset;
};

struct ManagedTensor {  // DLManagedTensorVersioned
  Version version;
  void* manager_ctx;
  void (*deleter)(ManagedTensor* self);
  uint64_t flags;  // 0: it may be written to
  Tensor tensor;
};

// What a library's tensor type has in `__dlpack_c_exchange_api__`, a capsule of this
// name.
constexpr char kExchangeName[] = "dlpack_exchange_api";

struct Exchange {  // DLPackExchangeAPI
  Version version;
  const Exchange* previous;  // of an older major version, or nullptr
  void* managed_tensor_allocator;
  // Makes `tensor`, for who calls its deleter, of a reference to the library's tensor,
  // which it does not take over. With the GIL; not 0: a Python error is set.
  int (*managed_tensor_from_py_object)(void* py_object, ManagedTensor** tensor);
  // Makes a new reference to the library's tensor, which takes `tensor` over. With the
  // GIL; not 0: a Python error is set.
  int (*managed_tensor_to_py_object)(ManagedTensor* tensor, void** py_object);
};

}  // namespace rowfeed::dlpack

#endif  // ROWFEED_PYTHON_DLPACK_H_
