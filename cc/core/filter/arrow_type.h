// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_ARROW_TYPE_H_
#define ROWFEED_CORE_FILTER_ARROW_TYPE_H_

#include <memory>

#include "arrow/type_fwd.h"
#include "core/catalog/column.h"
#include "core/status.h"

namespace rowfeed {

// The type that a column has in a filter: that of pyarrow.dataset where dictionaries
// are their values; strings have 64-bit offsets. Lists have none: kUnsupported.
Result<std::shared_ptr<arrow::DataType>> FilterType(const Column& column);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_ARROW_TYPE_H_
