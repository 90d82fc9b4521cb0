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

// kUnsupported: the column, which is one of `columns`, its type, why, and what there is
// beside it.
Status UnsupportedColumn(const Column& column, const std::vector<Column>& columns);

// `x.path` and `x.bytes` are how Hugging Face stores pictures and sounds: where a file
// lay, if anywhere, and what it holds. For the first, a hint at the second if that can
// be read; else empty.
std::string HintAtBytes(const Column& column, const std::vector<Column>& columns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_COLUMN_ERRORS_H_
