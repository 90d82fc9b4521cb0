// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_NUMBER_TYPES_H_
#define ROWFEED_CORE_DECODE_VALUES_NUMBER_TYPES_H_

#include <cstdint>
#include <type_traits>

#include "core/catalog/schema/column.h"
#include "core/decode/values/small_floats.h"

namespace rowfeed {

// A bool as slots hold it: one byte, 0 or 1.
enum class Bool : uint8_t { kFalse = 0, kTrue = 1 };

// Calls function(T()), T being the C++ type of a dtype's elements, and returns its
// result. For strings and binaries calls function(nullptr).
template <typename Function>
auto WithNumberType(DType dtype, Function&& function) {
  // NOLINTBEGIN(bugprone-branch-clone): the branches differ in their types
  switch (dtype) {
    case DType::kBool:
      return function(Bool());
    case DType::kInt8:
      return function(int8_t());
    case DType::kInt16:
      return function(int16_t());
    case DType::kInt32:
      return function(int32_t());
    case DType::kInt64:
      return function(int64_t());
    case DType::kUInt8:
      return function(uint8_t());
    case DType::kUInt16:
      return function(uint16_t());
    case DType::kUInt32:
      return function(uint32_t());
    case DType::kUInt64:
      return function(uint64_t());
    case DType::kFloat16:
      return function(Float16());
    case DType::kBFloat16:
      return function(BFloat16());
    case DType::kFloat32:
      return function(float());
    case DType::kFloat64:
      return function(double());
    case DType::kString:
    case DType::kBinary:
      break;
  }
  // NOLINTEND(bugprone-branch-clone)
  return function(nullptr);
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_NUMBER_TYPES_H_
