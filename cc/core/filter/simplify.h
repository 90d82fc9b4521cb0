// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_SIMPLIFY_H_
#define ROWFEED_CORE_FILTER_SIMPLIFY_H_

#include <vector>

#include "arrow/compute/expression.h"

namespace rowfeed {

// What is left of a bound expression where all guarantees hold. One by which Arrow
// cannot simplify it, such as a bound that a cast has no room for, is passed over:
// whether the expression fails is up to the rows.
arrow::compute::Expression Simplify(
    arrow::compute::Expression expression,
    const std::vector<arrow::compute::Expression>& guarantees);

// Whether a bound expression is simplified rightly by bounds of its columns. Arrow
// takes NaN for a number greater than all others, and every cast for one that keeps
// numbers what they are.
bool IsSimplifiedRightly(const arrow::compute::Expression& expression);

// Whether a bound expression that is true of a row is not made false by bounds of
// columns in which NaN lies outside of them: if a comparison with NaN is false, and
// nothing is true because a comparison is false.
bool AllowsNaN(const arrow::compute::Expression& expression);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_SIMPLIFY_H_
