// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_H_

#include <string_view>

#include "arrow/compute/expression.h"
#include "core/status.h"

namespace rowfeed {

// The expression that Arrow serialized, its fields called as columns are: a nested one
// by its path joined with dots.
Result<arrow::compute::Expression> ParseExpression(std::string_view serialized);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_H_
