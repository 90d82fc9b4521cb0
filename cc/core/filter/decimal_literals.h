// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_DECIMAL_LITERALS_H_
#define ROWFEED_CORE_FILTER_DECIMAL_LITERALS_H_

#include "arrow/compute/expression.h"
#include "arrow/type_fwd.h"
#include "core/status.h"

namespace rowfeed {

// The expression with decimals in the place of literal integers that decimal columns of
// the schema are compared, or computed, with: Arrow looks for a decimal of as few
// digits as the integer has, then finds that its type may have more, and refuses `price
// > 3`.
Result<arrow::compute::Expression> WithDecimalLiterals(
    const arrow::compute::Expression& expression, const arrow::Schema& schema);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_DECIMAL_LITERALS_H_
