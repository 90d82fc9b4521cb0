// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_TABLE_ABOVE_H_
#define ROWFEED_CORE_CATALOG_TABLE_ABOVE_H_

#include <set>
#include <string>

#include "core/io/file_system.h"
#include "core/status.h"

namespace rowfeed {

// Looks for tables above directories that are listed alone: partitions
// ("table/year=2024") and Iceberg's "table/data". Each place is looked at once.
class TableAbove {
 public:
  // kUnsupported: the directory is a part of a table.
  Status Check(const FileSystem& files, const std::string& directory,
               const Cancelled& cancelled);

 private:
  std::set<std::string> seen_;  // as messages show them
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_TABLE_ABOVE_H_
