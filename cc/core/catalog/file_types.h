// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_FILE_TYPES_H_
#define ROWFEED_CORE_CATALOG_FILE_TYPES_H_

#include <string>

#include "core/catalog/catalog.h"

namespace rowfeed {

// Returns a text that says which types a column has in the files of a catalog, the most
// common type first: "'x' is int64 in a.parquet and b.parquet, missing in c.parquet".
std::string TypesInFiles(const Catalog& catalog, int column);

// Whether the column differs from that of the catalog in any file.
bool HasDifference(const Catalog& catalog, int column);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_FILE_TYPES_H_
