// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_EXPRESSION_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_EXPRESSION_H_

#include <string>
#include <string_view>
#include <vector>

#include "arrow/compute/expression.h"
#include "core/status.h"

namespace rowfeed {

// Parses an expression that Arrow serialized. Its fields get the names that columns
// have: the path of a nested field, joined with dots.
Result<arrow::compute::Expression> ParseExpression(std::string_view serialized);

// Returns the names of the fields of such an expression, each once.
std::vector<std::string> FieldNames(const arrow::compute::Expression& expression);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_EXPRESSION_H_
