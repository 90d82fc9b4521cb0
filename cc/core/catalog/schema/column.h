// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/catalog/schema/column_storage.h"
#include "core/export.h"

namespace rowfeed {

// Bytes of one element; 1 for kString and kBinary, whose values are runs of bytes.
ROWFEED_EXPORT int64_t ElementSize(DType dtype);
const char* DTypeName(DType dtype);  // dtypes.h has the table of all dtypes

// A column of a data set. It is a leaf of the schema, so a struct gives several
// columns.
struct Column {
  // The names of the fields on the way to the column, joined with dots. Lists add no
  // name; the two columns of a map end with "key" and "value".
  std::string name;
  std::vector<std::string> path;  // the fields in `name`, one by one
  std::string logical_type;  // type for messages, as Arrow prints it: "timestamp[us]"
  // The reason why rowfeed cannot read the column; then all members below have no
  // meaning. Empty: it can be read.
  std::string unsupported;
  // True: the column is not in the files, but in the names of directories
  // (partition.h).
  bool is_partition = false;
  // Whether the user gave the type of a partition column. If not, it was guessed.
  bool is_type_given = false;
  // True: the column is pandas' index, and pandas made its name (pandas_index.h).
  bool is_added_index = false;

  DType dtype = DType::kInt32;
  // A row has `ragged_rank` levels of lists of any length, one within the other. The
  // innermost lists hold elements or, if dense_shape is not empty, arrays of that
  // shape.
  int32_t ragged_rank = 0;
  std::vector<int64_t> dense_shape;
  // The sizes of the other levels of lists, which have fixed sizes and make up the
  // dense shape.
  std::vector<int64_t> list_sizes;
  // Unit of dates and times: "days", "s", "ms", "us" or "ns"; empty for all other
  // columns.
  std::string unit;
  ColumnStorage storage;

  bool is_bytes() const { return dtype == DType::kString || dtype == DType::kBinary; }
  // Whether rows have different sizes, so that a batch carries offsets.
  bool is_variable() const { return is_bytes() || ragged_rank > 0; }
  // Number of elements of the dense shape; 1 if there is none.
  int64_t num_elements() const;
  // Bytes of one element or, with a dense shape, of one array of elements.
  int64_t unit_bytes() const { return num_elements() * ElementSize(dtype); }
  // Bytes of a row if all rows have the same size; 0 for variable columns.
  int64_t row_bytes() const { return is_variable() ? 0 : unit_bytes(); }

  bool operator==(const Column& other) const;
};

// Whether the values of both columns have the same meaning and make tensors of the same
// type. Files may differ in what does not change the values: string or large_string,
// dictionary or not, names of list elements, nullability, time zone, precision and
// scale of decimals.
bool AreAlike(const Column& a, const Column& b);

// Whether the values of both columns are times of the same kind: timestamps with a time
// zone, timestamps without one, times of day, or durations. Their units may differ.
// False for all other columns.
bool AreTimesAlike(const Column& a, const Column& b);

// Whether a file can store a column of this type as `storage` says: a decoder relies on
// it. It is true for each column of a catalog and each of its storages, and always true
// for an unsupported column.
bool IsConsistent(const Column& column, const ColumnStorage& storage);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_H_
