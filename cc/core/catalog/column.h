// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_COLUMN_H_
#define ROWFEED_CORE_CATALOG_COLUMN_H_

#include <cstdint>
#include <string>
#include <vector>

namespace rowfeed {

// The element type of a feature, as tensors hold it.
enum class DType : uint8_t {
  kBool,  // one byte per value
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
  kBFloat16,  // no file has it: a feature may ask for it
};

// Bytes of one element; 1 for kString and kBinary, whose values are runs of bytes.
int64_t ElementSize(DType dtype);
const char* DTypeName(DType dtype);

// How a column lies in the file: what a decoder needs beside the bytes. Enumerators of
// physical types are those of the Parquet format.
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
  static constexpr int16_t kMaxDecimalScale = 76;  // of decimal256
  static constexpr int32_t kMaxDecimalBytes = 32;

  Physical physical = kInt32;
  int32_t type_length = 0;  // bytes per value of kFixedLenByteArray; else 0
  // Of decimals: a value is the stored integer divided by ten to this; -1 for all else.
  int16_t decimal_scale = kNoDecimal;
  int16_t max_definition_level = 0;
  // One for each level of lists around the values, from the outside in: a definition
  // level >= this is a slot of the list (of an element, null or not); one less is an
  // empty list; lower is a null list, or one in a null.
  std::vector<int16_t> slot_definition_levels;

  bool is_decimal() const { return decimal_scale != kNoDecimal; }
  int16_t max_repetition_level() const {
    return static_cast<int16_t>(slot_definition_levels.size());
  }
  // Of the innermost lists; 0 without any.
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

// A column of a data set: a leaf of its schema, so that a struct is several.
struct Column {
  // The fields that lead to it, joined by dots; lists add nothing, and the two columns
  // of a map end with "key" and "value".
  std::string name;
  std::vector<std::string> path;  // the same, one by one
  std::string logical_type;       // for people, as Arrow prints it: "timestamp[us]"
  // Not empty: why rowfeed refuses the column; then nothing below has a meaning.
  std::string unsupported;
  // In no file but in the names of directories: see partition.h.
  bool is_partition = false;
  // Whether the user gave the type of a partition column; else it is a guess.
  bool is_type_given = false;
  // pandas' index, under a name that pandas made: see pandas_index.h.
  bool is_added_index = false;

  DType dtype = DType::kInt32;
  // A row is `ragged_rank` levels of lists of any length, one in the other, around
  // elements or, if there is a dense shape, around arrays of that shape.
  int32_t ragged_rank = 0;
  std::vector<int64_t> dense_shape;
  // Of the further levels of lists, which the dense shape is made of.
  std::vector<int64_t> list_sizes;
  std::string unit;  // of dates, times: "days", "s", "ms", "us", "ns"; else empty
  ColumnStorage storage;

  bool is_bytes() const { return dtype == DType::kString || dtype == DType::kBinary; }
  // Values of different rows have different sizes: the batch carries offsets.
  bool is_variable() const { return is_bytes() || ragged_rank > 0; }
  // Elements of the dense shape; 1 without.
  int64_t num_elements() const;
  // Bytes of one element, or of one array of them.
  int64_t unit_bytes() const { return num_elements() * ElementSize(dtype); }
  // Bytes of a row where every row has the same number; 0 for variable columns.
  int64_t row_bytes() const { return is_variable() ? 0 : unit_bytes(); }

  bool operator==(const Column& other) const;
};

// Whether the values of both mean the same and make tensors of one type: files may
// differ in what does not change the values (string or large_string, dictionary or not,
// names of list elements, nullability, time zone, precision and scale of decimals).
bool AreAlike(const Column& a, const Column& b);

// Whether the values of both are times of one kind: timestamps with a time zone, those
// without one, times of day or durations. Their units may differ. False for all else.
bool AreTimesAlike(const Column& a, const Column& b);

// True if a column of this type can lie in a file like this: what a decoder may rely
// on. Holds for every column of a catalog with its every storage; trivially for an
// unsupported one.
bool IsConsistent(const Column& column, const ColumnStorage& storage);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_COLUMN_H_
