// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/column.h"

namespace rowfeed {

int64_t ElementSize(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kString:
    case DType::kBinary:
      return 1;
    case DType::kInt16:
    case DType::kUInt16:
    case DType::kFloat16:
      return 2;
    case DType::kInt32:
    case DType::kUInt32:
    case DType::kFloat32:
      return 4;
    case DType::kInt64:
    case DType::kUInt64:
    case DType::kFloat64:
      return 8;
  }
  return 0;
}

const char* DTypeName(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "bool";
    case DType::kInt8:
      return "int8";
    case DType::kInt16:
      return "int16";
    case DType::kInt32:
      return "int32";
    case DType::kInt64:
      return "int64";
    case DType::kUInt8:
      return "uint8";
    case DType::kUInt16:
      return "uint16";
    case DType::kUInt32:
      return "uint32";
    case DType::kUInt64:
      return "uint64";
    case DType::kFloat16:
      return "float16";
    case DType::kFloat32:
      return "float32";
    case DType::kFloat64:
      return "float64";
    case DType::kString:
      return "string";
    case DType::kBinary:
      return "binary";
  }
  return "unknown";
}

namespace {

ColumnStorage::Physical PhysicalOf(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return ColumnStorage::kBoolean;
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kUInt8:
    case DType::kUInt16:
    case DType::kUInt32:
      return ColumnStorage::kInt32;
    case DType::kInt64:
    case DType::kUInt64:
      return ColumnStorage::kInt64;
    case DType::kFloat16:
      return ColumnStorage::kFixedLenByteArray;
    case DType::kFloat32:
      return ColumnStorage::kFloat;
    case DType::kFloat64:
      return ColumnStorage::kDouble;
    case DType::kString:
    case DType::kBinary:
      return ColumnStorage::kByteArray;
  }
  return ColumnStorage::kInt96;
}

// Each value of the file is one element.
bool HasElements(const Column& column, const ColumnStorage& storage) {
  const int32_t type_length = column.dtype == DType::kFloat16 ? 2 : 0;
  return storage.physical == PhysicalOf(column.dtype) &&
         storage.type_length == type_length;
}

// Each value of the file is one row of `list_size` bytes.
bool HasFixedBinaries(const Column& column, const ColumnStorage& storage) {
  return column.dtype == DType::kUInt8 && storage.type_length == column.list_size &&
         storage.physical == ColumnStorage::kFixedLenByteArray;
}

bool HasFlatLevels(const ColumnStorage& storage) {
  return storage.max_repetition_level == 0 && storage.slot_definition_level == 0 &&
         storage.max_definition_level >= 0 && storage.max_definition_level <= 1;
}

bool HasListLevels(const ColumnStorage& storage) {
  const int slot = storage.slot_definition_level;
  const int max = storage.max_definition_level;
  return storage.max_repetition_level == 1 && slot >= 1 && slot <= 2 && max >= slot &&
         max <= slot + 1;
}

}  // namespace

bool IsConsistent(const Column& column, const ColumnStorage& storage) {
  if (!column.unsupported.empty()) return true;
  switch (column.shape) {
    case RowShape::kScalar:
      return column.list_size == 1 && HasElements(column, storage) &&
             HasFlatLevels(storage);
    case RowShape::kDense:
      if (column.list_size < 1) return false;
      if (HasFixedBinaries(column, storage)) return HasFlatLevels(storage);
      return !column.is_bytes() && HasElements(column, storage) &&
             HasListLevels(storage);
    case RowShape::kRagged:
      return column.list_size == 0 && !column.is_bytes() &&
             HasElements(column, storage) && HasListLevels(storage);
  }
  return false;
}

}  // namespace rowfeed
