// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_SIMPLIFY_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_SIMPLIFY_H_

#include <vector>

#include "arrow/compute/expression.h"

namespace rowfeed {

// Simplifies a bound expression for rows for which all guarantees are true. A guarantee
// with which Arrow cannot simplify it is ignored, for instance a bound that does not
// fit in the type of a cast: whether the expression then fails is decided by the rows.
arrow::compute::Expression Simplify(
    arrow::compute::Expression expression,
    const std::vector<arrow::compute::Expression>& guarantees);

// Whether the expression is the constant `true`.
bool IsTrue(const arrow::compute::Expression& expression);

// Whether Arrow simplifies a bound expression correctly by bounds of its columns. It
// does not if a constant is NaN or a cast changes numbers: Arrow treats NaN as greater
// than all other numbers, and assumes that no cast changes a number.
bool IsSimplifiedRightly(const arrow::compute::Expression& expression);

// Whether bounds may be used to simplify the expression even where a column holds NaN,
// which lies outside of all bounds. True if a comparison with NaN can only make the
// expression false: it consists of comparisons (all false for NaN) joined by `and` and
// `or`.
bool AllowsNaN(const arrow::compute::Expression& expression);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_SIMPLIFY_H_
