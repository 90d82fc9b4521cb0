// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PARTITION_H_
#define ROWFEED_CORE_CATALOG_PARTITION_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/column.h"

namespace rowfeed {

// Hive's way to keep columns in directories: files below "year=2024/city=Oslo/" have
// these values in all rows. Keys and values are percent-encoded;
// __HIVE_DEFAULT_PARTITION__ is null, and so is a key that a name does not have. A
// directory whose key is not UTF-8 is none: nobody could ask for the column.

// The value of `key` in the name of a file; nullopt: null.
std::optional<std::string> PartitionValue(std::string_view name, std::string_view key);

// The value of a partition column in all rows of a file.
struct Constant {
  // As Parquet codes it plainly: 8 bytes for int64, else the string's own; nullopt:
  // null.
  std::optional<std::string> plain_value;
};

// Of a partition column, in the file of this name.
Constant ConstantOf(const Column& column, std::string_view name);

// The columns that directories in the names of files make, in the order in which they
// first occur: int64 where all values are such numbers, else strings; null may be any.
std::vector<Column> PartitionColumns(const std::vector<std::string_view>& names);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PARTITION_H_
