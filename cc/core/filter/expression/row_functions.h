// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_ROW_FUNCTIONS_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_ROW_FUNCTIONS_H_

#include "arrow/compute/expression.h"
#include "core/status.h"

namespace rowfeed {

// Returns an error that names the function if an expression calls one whose result does
// not depend on one row alone: a function that gives another result each time (random),
// or one that looks at several rows (sum, rank, cumulative_sum). Such a filter cannot
// work: rows are counted once and filtered again in each epoch, each time in groups of
// another size.
Status CheckFunctionsOfRows(const arrow::compute::Expression& expression);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_ROW_FUNCTIONS_H_
