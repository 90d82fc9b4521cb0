// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_LEAF_OF_COLUMN_H_
#define ROWFEED_CORE_FILTER_LEAF_OF_COLUMN_H_

#include "core/catalog/catalog.h"
#include "parquet/schema.h"

namespace rowfeed {

// Returns the number of a column (that is no list) in the file's schema; -1 if it is
// not there.
int LeafOf(const Column& column, const parquet::SchemaDescriptor& schema);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_LEAF_OF_COLUMN_H_
