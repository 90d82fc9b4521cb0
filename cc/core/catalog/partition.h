// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PARTITION_H_
#define ROWFEED_CORE_CATALOG_PARTITION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/column.h"
#include "core/status.h"

namespace rowfeed {

// Hive's way to keep columns in directories: files below "year=2024/city=Oslo/" have
// these values in all rows. Keys and values are percent-encoded;
// __HIVE_DEFAULT_PARTITION__ is null, and so is a key that a file does not have. A
// directory whose key is not UTF-8 is none: nobody could ask for the column. What are
// the partitions of a file, PartitionRule says.

// The value of `key` in the partitions of a file; nullopt: null.
std::optional<std::string> PartitionValue(std::string_view partitions,
                                          std::string_view key);

// The value of a partition column in all rows of a file.
struct Constant {
  // The value in Parquet's plain encoding: 8 bytes for numbers, one for a boolean, else
  // the bytes of the string. nullopt: the value is null.
  std::optional<std::string> plain_value;
};

// The value of a partition column in a file that has these partitions. Values that do
// not fit the column, which PartitionFits has ruled out, are null.
Constant ConstantOf(const Column& column, std::string_view partitions);

// What the values of a partition column are read as.
struct PartitionType {
  DType dtype = DType::kString;
  // Whether the user asked for it. Then "01", "+1" and "1e3" are numbers; a guess takes
  // none of them for one, as it would lose text.
  bool is_given = false;

  bool operator==(const PartitionType& other) const {
    return dtype == other.dtype && is_given == other.is_given;
  }
};
using PartitionTypes = std::map<std::string, PartitionType>;

// The type to read values as that become `dtype`: one that holds all of its values and
// that Parquet has.
DType PartitionDType(DType dtype);

// A partition column of this type, which must be one of PartitionDType.
Column PartitionColumn(const std::string& key, PartitionType type);

// The columns that the partitions of files make, in the order in which they first
// occur: int64 where all values are such numbers, written as a number is printed, else
// strings; null may be any.
std::vector<Column> PartitionColumns(const std::vector<std::string_view>& partitions);

// kInvalid, with the directory and the dtype to give, if a file's value does not fit.
Status PartitionFits(const Column& column, std::string_view partitions);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PARTITION_H_
