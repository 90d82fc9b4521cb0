// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_TABLE_FORMAT_H_
#define ROWFEED_CORE_CATALOG_LISTING_TABLE_FORMAT_H_

#include <functional>
#include <string>

#include "core/io/file_system.h"
#include "core/status.h"

namespace rowfeed {

// The table formats whose folder has a log beside the data files. Only the log says
// which files belong to the table now: the others hold rows that were deleted, replaced
// or never committed.
enum class TableFormat { kNone, kDelta, kIceberg, kHudi, kPaimon };

// A function that lists a subdirectory by its name; returns nothing if it cannot be
// listed.
using ListChild = std::function<DirectoryEntries(const std::string& name)>;

// Returns the format of the table whose folder has these entries; kNone if it is no
// table. `list_child` is called to look into subdirectories that mark some of the
// formats.
TableFormat TableFormatOf(const DirectoryEntries& entries, const ListChild& list_child);

// Makes the kUnsupported error for a table's folder, which says how to get the list of
// files to give instead. `path` is as messages show it.
Status TableRefusal(TableFormat format, const std::string& path);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_TABLE_FORMAT_H_
