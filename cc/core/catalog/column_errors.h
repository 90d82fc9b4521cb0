// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_COLUMN_ERRORS_H_
#define ROWFEED_CORE_CATALOG_COLUMN_ERRORS_H_

#include <string>
#include <vector>

#include "core/catalog/column.h"
#include "core/status.h"

namespace rowfeed {

// kKey: no column `name`; says which there are.
Status UnknownColumn(const std::string& name, const std::vector<Column>& columns);

// kUnsupported: the column, its type and why.
Status UnsupportedColumn(const Column& column);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_COLUMN_ERRORS_H_
