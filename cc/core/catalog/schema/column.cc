// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/column.h"

#include <cstddef>
#include <limits>
#include <tuple>

#include "core/catalog/schema/dtypes.h"

namespace rowfeed {

int64_t ElementSize(DType dtype) { return InfoOf(dtype).bytes; }

const char* DTypeName(DType dtype) { return InfoOf(dtype).name; }

namespace {

// Whether `storage` is one of decimals. A column of decimals is float64, whatever
// integer is stored.
bool HasDecimals(const Column& column, const ColumnStorage& storage) {
  if (column.dtype != DType::kFloat64 || storage.decimal_scale < 0 ||
      storage.decimal_scale > ColumnStorage::kMaxDecimalScale) {
    return false;
  }
  switch (storage.physical) {
    case ColumnStorage::kInt32:
    case ColumnStorage::kInt64:
    case ColumnStorage::kByteArray:
      return storage.type_length == 0;
    case ColumnStorage::kFixedLenByteArray:
      return storage.type_length >= 1 &&
             storage.type_length <= ColumnStorage::kMaxDecimalBytes;
    default:
      return false;
  }
}

// Whether each stored value is one element of the column.
bool HasElements(const Column& column, const ColumnStorage& storage) {
  if (storage.is_decimal()) return HasDecimals(column, storage);
  // Old writers store timestamps as INT96.
  if (storage.physical == ColumnStorage::kInt96) {
    return column.dtype == DType::kInt64 && column.unit == "ns" &&
           storage.type_length == 0;
  }
  const int32_t type_length = column.dtype == DType::kFloat16 ? 2 : 0;
  return storage.physical == InfoOf(column.dtype).physical &&
         storage.type_length == type_length;
}

// Whether each stored value is an array of bytes, which is the last dimension of the
// shape.
bool HasFixedBinaries(const Column& column, const ColumnStorage& storage) {
  return column.dtype == DType::kUInt8 && !storage.is_decimal() &&
         storage.physical == ColumnStorage::kFixedLenByteArray &&
         !column.dense_shape.empty() &&
         column.dense_shape.back() == storage.type_length;
}

// Far more levels than any schema has. Later code relies on levels of 8 bits.
constexpr int16_t kMaxLevel = 127;

bool HasLevels(const ColumnStorage& storage) {
  int16_t outer = 0;
  for (const int16_t slot : storage.slot_definition_levels) {
    if (slot <= outer) return false;
    outer = slot;
  }
  return storage.max_definition_level >= outer &&
         storage.max_definition_level <= kMaxLevel;
}

// Returns the product of the sizes; 0 if a size or the product is out of range.
int64_t Product(const std::vector<int64_t>& sizes) {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  int64_t product = 1;
  for (const int64_t size : sizes) {
    if (size < 1 || size > kMax || product * size > kMax) return 0;
    product *= size;
  }
  return product;
}

}  // namespace

int64_t Column::num_elements() const {
  int64_t elements = 1;
  for (const int64_t size : dense_shape) elements *= size;
  return elements;
}

bool Column::operator==(const Column& other) const {
  const auto all = [](const Column& c) {
    return std::tie(c.name, c.path, c.logical_type, c.unsupported, c.is_partition,
                    c.dtype, c.ragged_rank, c.dense_shape, c.list_sizes, c.unit,
                    c.storage);
  };
  return all(*this) == all(other);
}

namespace {

enum class TimeKind : uint8_t { kNone, kOfDay, kDuration, kTimestamp, kZoned };

TimeKind TimeKindOf(const Column& column) {
  if (column.unit.empty() || column.unit == "days") return TimeKind::kNone;
  const auto is = [&](const char* name) {
    return column.logical_type.find(name) != std::string::npos;
  };
  if (is("duration[")) return TimeKind::kDuration;
  if (is("time32[") || is("time64[")) return TimeKind::kOfDay;
  // The values count from 1970 in UTC, whatever the time zone.
  return is(", tz=") ? TimeKind::kZoned : TimeKind::kTimestamp;
}

bool IsFixedBinary(const Column& column) {
  return column.dtype == DType::kUInt8 &&
         column.storage.physical == ColumnStorage::kFixedLenByteArray;
}

}  // namespace

bool AreAlike(const Column& a, const Column& b) {
  const auto type = [](const Column& c) {
    return std::tie(c.dtype, c.ragged_rank, c.dense_shape, c.unit);
  };
  return a.unsupported.empty() && b.unsupported.empty() && type(a) == type(b) &&
         TimeKindOf(a) == TimeKindOf(b) && IsFixedBinary(a) == IsFixedBinary(b) &&
         a.storage.is_decimal() == b.storage.is_decimal();
}

bool AreTimesAlike(const Column& a, const Column& b) {
  return TimeKindOf(a) != TimeKind::kNone && TimeKindOf(a) == TimeKindOf(b);
}

bool IsConsistent(const Column& column, const ColumnStorage& storage) {
  if (!column.unsupported.empty()) return true;
  const size_t num_lists = storage.slot_definition_levels.size();
  if (!HasLevels(storage) || column.ragged_rank < 0 ||
      column.list_sizes.size() + column.ragged_rank != num_lists) {
    return false;
  }
  const int64_t num_elements = Product(column.dense_shape);
  const int64_t num_slots = Product(column.list_sizes);
  if (num_elements == 0 || num_slots == 0) return false;
  if (column.is_bytes() && !column.dense_shape.empty()) return false;
  if (HasElements(column, storage)) return num_elements == num_slots;
  return HasFixedBinaries(column, storage) && storage.type_length > 0 &&
         num_elements == num_slots * storage.type_length;
}

}  // namespace rowfeed
