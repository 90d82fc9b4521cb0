// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_BY_FIELD_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_BY_FIELD_H_

#include <functional>
#include <string>
#include <vector>

#include "core/catalog/schema/schema_column.h"
#include "core/status.h"
#include "parquet/metadata.h"
#include "parquet/schema.h"

namespace rowfeed {

// A function that reads a schema. `arrow_schema` is the value of "ARROW:schema" that
// belongs to it, or empty.
using ReadWhole = std::function<Result<std::vector<SchemaColumn>>(
    const parquet::SchemaDescriptor& schema, const std::string& arrow_schema)>;

// Reads the fields of a file's schema one by one, after `read_whole` failed with the
// error `whole` for all of them together. The columns of a field that fails alone
// become unsupported; all others are read as if that field were not there. Returns
// `whole` if the fields cannot be separated. May throw what Parquet throws.
Result<std::vector<SchemaColumn>> ReadByField(const parquet::FileMetaData& metadata,
                                              const std::string& arrow_schema,
                                              const ReadWhole& read_whole,
                                              const Status& whole);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_SCHEMA_BY_FIELD_H_
