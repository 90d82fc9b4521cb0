// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_STRING_LITERALS_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_STRING_LITERALS_H_

#include "arrow/compute/expression.h"
#include "core/status.h"

namespace rowfeed {

// Returns kInvalid if a literal string in an expression, or a string in a set of values
// that it looks up, is not UTF-8. Arrow would compare such strings without an error.
Status CheckStringLiterals(const arrow::compute::Expression& expression);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_STRING_LITERALS_H_
