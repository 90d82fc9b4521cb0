// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_PANDAS_INDEX_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_PANDAS_INDEX_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/schema/schema_column.h"
#include "parquet/metadata.h"

namespace rowfeed {

// Returns the columns that pandas' metadata lists under "index_columns"; empty if the
// text is no such metadata. An index of consecutive numbers is not stored, and so not
// listed.
std::vector<std::string> PandasIndexColumns(std::string_view metadata);

// Sets `is_added_index` for each column that pandas' metadata in the file lists as an
// index and whose name pandas made, because the index had none.
void MarkAddedIndexes(const parquet::FileMetaData& metadata,
                      std::vector<SchemaColumn>* columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_PANDAS_INDEX_H_
