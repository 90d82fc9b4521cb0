// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_PARTITION_RULE_H_
#define ROWFEED_CORE_CATALOG_PARTITION_RULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rowfeed {

// The rule by which `key=value` directories on the way to a file are columns.
struct PartitionRule {
  enum class From : uint8_t {
    kNowhere,  // No directory is a column.
    // Files and globs have all in their path as it is listed, directories those below.
    kListed,
    // The same, but directories also have those that their own paths end with: they are
    // partitions that are listed one by one.
    kListedEach,
    kBase,  // Those below `base` are columns, whatever is listed.
  };
  From from = From::kListed;
  std::string base;  // a directory: a local path or a URI

  bool operator==(const PartitionRule& other) const {
    return from == other.from && base == other.base;
  }
};

// The `key=value` directories of a path that ends with the name of a file, each with a
// slash behind it: "year=2024/city=Oslo/".
std::string PartitionsIn(std::string_view path);

// The unbroken run of them that the path of a directory ends with.
std::string PartitionsAtEnd(std::string_view directory);

// The part of `path` below the directory `base`, both in one file system; nullopt: it
// is not below it. Local paths may be relative to the working directory.
std::optional<std::string> PathBelow(const std::string& path, const std::string& base,
                                     bool are_local);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_PARTITION_RULE_H_
