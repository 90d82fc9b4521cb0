// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PARTITION_H_
#define ROWFEED_CORE_CATALOG_PARTITION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/fields.h"
#include "core/status.h"

namespace rowfeed {

// Functions for Hive's way to keep columns in directories: all rows of files below
// "year=2024/city=Oslo/" have year 2024 and city "Oslo". Keys and values are
// percent-encoded. __HIVE_DEFAULT_PARTITION__ is null, and so is a key that a file does
// not have. A directory whose key is not UTF-8 is no partition, as nobody could ask for
// its column. PartitionRule says which directories are the partitions of a file.

// Returns the value of `key` in the partitions of a file; nullopt: null.
std::optional<std::string> PartitionValue(std::string_view partitions,
                                          std::string_view key);

// The value that a column has in all rows of a file.
struct Constant {
  // The value in Parquet's plain encoding: 8 bytes for a number, one byte for a
  // boolean, else the bytes of the string. nullopt: the value is null.
  std::optional<std::string> plain_value;
};

// Returns the value of a partition column in a file that has these partitions. A value
// that does not fit the column, which PartitionFits has ruled out, becomes null.
Constant ConstantOf(const Column& column, std::string_view partitions);

// The type that the values of a partition column are read as.
struct PartitionType {
  DType dtype = DType::kString;
  // Whether the user gave the type. Then "01", "+1" and "1e3" are numbers; a guessed
  // type does not take them for numbers, as that would lose text.
  bool is_given = false;

  static constexpr auto Fields() {
    return std::tuple(Field{"dtype", &PartitionType::dtype},
                      Field{"is_given", &PartitionType::is_given});
  }
  bool operator==(const PartitionType& other) const {
    return dtype == other.dtype && is_given == other.is_given;
  }
};
using PartitionTypes = std::map<std::string, PartitionType>;

// Returns the type to read values as, if the user asks for `dtype`: a type that holds
// all values of `dtype` and that Parquet has.
DType PartitionDType(DType dtype);

// Makes a partition column. `type.dtype` must be a result of PartitionDType.
Column PartitionColumn(const std::string& key, PartitionType type);

// Returns the columns that the partitions of files make, in the order in which they
// first occur. A column is int64 if all its values are integers, written as a number is
// printed; else it is a string. Null fits both.
std::vector<Column> PartitionColumns(const std::vector<std::string_view>& partitions);

// Returns kInvalid if a file's value does not fit the column, or is beyond the range of
// `asked`, the dtype that the user asks for, if that is known. The error names the
// directory and the dtype to ask for.
Status PartitionFits(const Column& column, std::string_view partitions,
                     std::optional<DType> asked = std::nullopt);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PARTITION_H_
