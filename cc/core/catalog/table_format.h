// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_TABLE_FORMAT_H_
#define ROWFEED_CORE_CATALOG_TABLE_FORMAT_H_

#include <functional>
#include <string>

#include "core/io/file_system.h"
#include "core/status.h"

namespace rowfeed {

// The formats of tables whose folder keeps a log beside the data: only the log tells
// which files belong to the table now. The others hold rows that were deleted, replaced
// or never committed.
enum class TableFormat { kNone, kDelta, kIceberg, kHudi, kPaimon };

// Lists an entry of the directory by its name; nothing if it cannot be listed.
using ListChild = std::function<DirectoryEntries(const std::string& name)>;

// The format of the table that a directory with these entries is. Folders that mark
// some formats are looked into by `list_child`.
TableFormat TableFormatOf(const DirectoryEntries& entries, const ListChild& list_child);

// The error for a table's folder: kUnsupported, with the list of files to give instead.
// `path` as messages show it.
Status TableRefusal(TableFormat format, const std::string& path);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_TABLE_FORMAT_H_
