// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_ERRORS_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_ERRORS_H_

#include <string>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/status.h"

namespace rowfeed {

// Makes the kKey error for an unknown column `name`, which says which columns there
// are.
Status UnknownColumn(const std::string& name, const std::vector<Column>& columns);

// Makes the kUnsupported error for `column`, one of `columns`: its type, the reason,
// and a hint at another column if there is one.
Status UnsupportedColumn(const Column& column, const std::vector<Column>& columns);

// Hugging Face stores pictures and sounds as two columns: `x.path` says where the file
// was, if anywhere, and `x.bytes` has its contents. If `column` is such a path and the
// contents can be read, returns a hint that names them; else an empty string.
std::string HintAtBytes(const Column& column, const std::vector<Column>& columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_COLUMN_ERRORS_H_
