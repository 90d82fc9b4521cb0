// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_STORAGE_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_STORAGE_H_

#include <cstdint>
#include <vector>

namespace rowfeed {

// The element type of a column, as tensors hold it.
enum class DType : uint8_t {
  kBool,  // one byte per value, 0 or 1
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kString,    // UTF-8 bytes of any length
  kBinary,    // bytes of any length
  kBFloat16,  // no file stores it, but the user may ask for it
};

// How a file stores a column: what a decoder must know beside the bytes. Physical types
// have the numbers of the Parquet format.
struct ColumnStorage {
  enum Physical : uint8_t {
    kBoolean = 0,
    kInt32 = 1,
    kInt64 = 2,
    kInt96 = 3,
    kFloat = 4,
    kDouble = 5,
    kByteArray = 6,
    kFixedLenByteArray = 7,
  };
  static constexpr int16_t kNoDecimal = -1;
  static constexpr int16_t kMaxDecimalScale = 76;  // the limit of Arrow's decimal256
  static constexpr int32_t kMaxDecimalBytes = 32;

  Physical physical = kInt32;
  int32_t type_length = 0;  // bytes per value of kFixedLenByteArray; else 0
  // For decimals: a value is the stored integer divided by 10 to the power of
  // decimal_scale. kNoDecimal for all other columns.
  int16_t decimal_scale = kNoDecimal;
  int16_t max_definition_level = 0;
  // One definition level for each level of lists around the values, outermost first. At
  // one level of lists, an entry whose definition level is at least this has a slot in
  // the list (an element, null or not). One less means that the list is empty; a lower
  // level means that the list, or something around it, is null.
  std::vector<int16_t> slot_definition_levels;

  bool is_decimal() const { return decimal_scale != kNoDecimal; }
  int16_t max_repetition_level() const {
    return static_cast<int16_t>(slot_definition_levels.size());
  }
  // The entry of the innermost lists; 0 if there are no lists.
  int16_t slot_definition_level() const {
    return slot_definition_levels.empty() ? int16_t{0} : slot_definition_levels.back();
  }
  bool operator==(const ColumnStorage& other) const {
    return physical == other.physical && type_length == other.type_length &&
           decimal_scale == other.decimal_scale &&
           max_definition_level == other.max_definition_level &&
           slot_definition_levels == other.slot_definition_levels;
  }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_STORAGE_H_
