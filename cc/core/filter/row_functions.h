// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_ROW_FUNCTIONS_H_
#define ROWFEED_CORE_FILTER_ROW_FUNCTIONS_H_

#include "arrow/compute/expression.h"
#include "core/status.h"

namespace rowfeed {

// Refuses by name each function of an expression whose result is not a function of the
// row: one that gives another result each time (random), and one that looks at several
// rows (sum, rank, cumulative_sum). Rows are counted once and looked at again in every
// epoch, and each time as many at once as lie together in memory.
Status CheckFunctionsOfRows(const arrow::compute::Expression& expression);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_ROW_FUNCTIONS_H_
