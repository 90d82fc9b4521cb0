// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_PARTITION_RULE_H_
#define ROWFEED_CORE_CATALOG_LISTING_PARTITION_RULE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "core/enum_table.h"
#include "core/fields.h"

namespace rowfeed {

// Says which `key=value` directories on the way to a file become columns.
struct PartitionRule {
  enum class From : uint8_t {
    kNowhere,  // no directory is a column
    // For listed files and globs, all directories in the path as given; for listed
    // directories, only those below it.
    kListed,
    // Like kListed, but for a listed directory also those at the end of its own path:
    // it is one of several partitions that are listed one by one.
    kListedEach,
    kBase,  // all directories below `base`, whatever is listed
  };
  From from = From::kListed;
  std::string base;  // directory for kBase: a local path or a URI

  static constexpr auto Fields() {
    return std::tuple(Field{"from", &PartitionRule::from},
                      Field{"base", &PartitionRule::base});
  }
  bool operator==(const PartitionRule& other) const {
    return from == other.from && base == other.base;
  }
};

template <>
struct EnumTable<PartitionRule::From> {
  static constexpr auto kWhat = "place of partitions";
  static constexpr std::array kNames = {"nowhere", "listed", "listed_each", "base"};
};

// Returns the `key=value` directories in the path of a file, each followed by a slash:
// "year=2024/city=Oslo/".
std::string PartitionsIn(std::string_view path);

// Returns the unbroken run of `key=value` directories at the end of a directory's path.
std::string PartitionsAtEnd(std::string_view directory);

// Returns the part of `path` below the directory `base`, both in the same file system;
// nullopt if `path` is not below it. Local paths may be relative to the working
// directory.
std::optional<std::string> PathBelow(const std::string& path, const std::string& base,
                                     bool are_local);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_PARTITION_RULE_H_
