// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_H_

#include <vector>

#include "core/catalog/schema/refused_leaves.h"
#include "core/catalog/schema/schema_column.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// Reads the leaf columns of a file, in the order of the file. Types are those that
// Arrow reads, so an Arrow schema that is stored in the file counts (fixed-size lists,
// durations). A column that rowfeed cannot read has `unsupported` set. An error means
// that not even the schema can be read; it does not name the path.
Result<std::vector<SchemaColumn>> ReadSchema(const parquet::FileMetaData& metadata,
                                             const RefusedTypes& refused = {});

// Whether ReadSchema returns the same for both files. Compares the stored schemas.
bool SameSchema(const parquet::FileMetaData& a, const parquet::FileMetaData& b);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_H_
