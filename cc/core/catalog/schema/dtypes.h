// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_DTYPES_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_DTYPES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/catalog/schema/column_storage.h"
#include "core/enum_table.h"

namespace rowfeed {

// What the elements of a dtype are.
enum class DTypeKind : uint8_t { kBool, kInt, kUInt, kFloat, kBytes };

// One row of kDTypes: what is known of one dtype.
struct DTypeInfo {
  DType dtype;
  const char* name;
  int64_t bytes;  // what ElementSize returns
  DTypeKind kind;
  // How a file stores values whose logical type is this dtype; nullopt: no file has
  // such values. Decimals, INT96 timestamps and binaries of a fixed size are stored
  // otherwise.
  std::optional<ColumnStorage::Physical> physical;
};

// The table of all dtypes, in the order of the enumerators. README.md lists
// what a new dtype needs beside its row.
inline constexpr std::array kDTypes = {
    DTypeInfo{DType::kBool, "bool", 1, DTypeKind::kBool, ColumnStorage::kBoolean},
    DTypeInfo{DType::kInt8, "int8", 1, DTypeKind::kInt, ColumnStorage::kInt32},
    DTypeInfo{DType::kInt16, "int16", 2, DTypeKind::kInt, ColumnStorage::kInt32},
    DTypeInfo{DType::kInt32, "int32", 4, DTypeKind::kInt, ColumnStorage::kInt32},
    DTypeInfo{DType::kInt64, "int64", 8, DTypeKind::kInt, ColumnStorage::kInt64},
    DTypeInfo{DType::kUInt8, "uint8", 1, DTypeKind::kUInt, ColumnStorage::kInt32},
    DTypeInfo{DType::kUInt16, "uint16", 2, DTypeKind::kUInt, ColumnStorage::kInt32},
    DTypeInfo{DType::kUInt32, "uint32", 4, DTypeKind::kUInt, ColumnStorage::kInt32},
    DTypeInfo{DType::kUInt64, "uint64", 8, DTypeKind::kUInt, ColumnStorage::kInt64},
    DTypeInfo{DType::kFloat16, "float16", 2, DTypeKind::kFloat,
              ColumnStorage::kFixedLenByteArray},
    DTypeInfo{DType::kFloat32, "float32", 4, DTypeKind::kFloat, ColumnStorage::kFloat},
    DTypeInfo{DType::kFloat64, "float64", 8, DTypeKind::kFloat, ColumnStorage::kDouble},
    DTypeInfo{DType::kString, "string", 1, DTypeKind::kBytes,
              ColumnStorage::kByteArray},
    DTypeInfo{DType::kBinary, "binary", 1, DTypeKind::kBytes,
              ColumnStorage::kByteArray},
    DTypeInfo{DType::kBFloat16, "bfloat16", 2, DTypeKind::kFloat, std::nullopt},
};

template <>
struct EnumTable<DType> {
  static constexpr auto kWhat = "dtype";
  static constexpr auto kNames = [] {
    std::array<const char*, kDTypes.size()> names{};
    for (size_t i = 0; i < names.size(); ++i) names[i] = kDTypes[i].name;
    return names;
  }();
};

static_assert(NumEnumerators<DType>() == kDTypes.size());
static_assert(
    [] {
      size_t index = 0;
      for (const DTypeInfo& info : kDTypes) {
        if (info.dtype != static_cast<DType>(index++)) return false;
      }
      return true;
    }(),
    "kDTypes is not in the order of the enumerators");

// Returns the row of a dtype. Throws std::out_of_range for a value that is no
// enumerator.
constexpr const DTypeInfo& InfoOf(DType dtype) {
  return kDTypes.at(static_cast<size_t>(dtype));
}

constexpr DTypeKind KindOf(DType dtype) { return InfoOf(dtype).kind; }

constexpr bool IsInteger(DType dtype) {
  return KindOf(dtype) == DTypeKind::kInt || KindOf(dtype) == DTypeKind::kUInt;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_DTYPES_H_
