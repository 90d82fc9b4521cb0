// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_COLUMN_H_
#define ROWFEED_CORE_CATALOG_COLUMN_H_

#include <cstdint>
#include <string>

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
  kString,  // UTF-8 bytes of any length
  kBinary,  // bytes of any length
};

// Bytes of one element; 1 for kString and kBinary, whose values are runs of bytes.
int64_t ElementSize(DType dtype);
const char* DTypeName(DType dtype);

// How a row of a column becomes part of a batch.
enum class RowShape : uint8_t {
  kScalar,  // one element: [batch]
  kDense,   // `list_size` elements: [batch, list_size]
  kRagged,  // any number of elements: values and offsets
};

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
  Physical physical = kInt32;
  int32_t type_length = 0;  // bytes per value of kFixedLenByteArray; else 0
  int16_t max_definition_level = 0;
  int16_t max_repetition_level = 0;
  // Lists only: a definition level >= this is an element slot (null or not); one less
  // is an empty list; lower is a null list.
  int16_t slot_definition_level = 0;

  bool operator==(const ColumnStorage& other) const {
    return physical == other.physical && type_length == other.type_length &&
           max_definition_level == other.max_definition_level &&
           max_repetition_level == other.max_repetition_level &&
           slot_definition_level == other.slot_definition_level;
  }
};

// One top-level column of a data set.
struct Column {
  std::string name;
  std::string logical_type;  // for people, as Arrow prints it: "timestamp[us, tz=UTC]"
  // Not empty: why rowfeed refuses the column; then nothing below has a meaning.
  std::string unsupported;

  DType dtype = DType::kInt32;
  RowShape shape = RowShape::kScalar;
  int64_t list_size = 1;  // elements per row of kDense; 1 for kScalar; 0 for kRagged
  std::string unit;       // of dates, times: "days", "s", "ms", "us", "ns"; else empty
  ColumnStorage storage;

  bool is_bytes() const { return dtype == DType::kString || dtype == DType::kBinary; }
  // Values of different rows have different sizes: the batch carries offsets.
  bool is_variable() const { return is_bytes() || shape == RowShape::kRagged; }
  // Bytes of a row where every row has the same number; 0 for variable columns.
  int64_t row_bytes() const {
    return is_variable() ? 0 : list_size * ElementSize(dtype);
  }
};

// True if a column of this type can lie in a file like this: what a decoder may rely
// on. Holds for every column of a catalog with its every storage; trivially for an
// unsupported one.
bool IsConsistent(const Column& column, const ColumnStorage& storage);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_COLUMN_H_
