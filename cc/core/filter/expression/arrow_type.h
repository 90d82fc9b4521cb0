// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_ARROW_TYPE_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_ARROW_TYPE_H_

#include <memory>

#include "arrow/type_fwd.h"
#include "core/catalog/schema/column.h"
#include "core/status.h"

namespace rowfeed {

// Returns the Arrow type that a column has in a filter: the type that pyarrow.dataset
// uses, but a dictionary column has the type of its values, and strings have 64-bit
// offsets. Returns kUnsupported for lists and other columns that a filter cannot take.
// The error names `option`, "filter" or "split", which asks for the column.
Result<std::shared_ptr<arrow::DataType>> FilterType(const Column& column,
                                                    const char* option);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_ARROW_TYPE_H_
