// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_TABLE_ABOVE_H_
#define ROWFEED_CORE_CATALOG_LISTING_TABLE_ABOVE_H_

#include <set>
#include <string>

#include "core/io/file_system.h"
#include "core/status.h"

namespace rowfeed {

// Finds out whether a directory that is listed alone lies within a table: directly, as
// Iceberg's "table/data", or below partitions, as "table/year=2024/month=1". Looks at
// each place only once.
class TableAbove {
 public:
  // Returns kUnsupported if the directory is a part of a table.
  Status Check(const FileSystem& files, const std::string& directory,
               const Cancelled& cancelled);

 private:
  std::set<std::string> seen_;  // places looked at, as messages show them
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_TABLE_ABOVE_H_
