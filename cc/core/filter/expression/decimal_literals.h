// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_DECIMAL_LITERALS_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_DECIMAL_LITERALS_H_

#include "arrow/compute/expression.h"
#include "arrow/type_fwd.h"
#include "core/status.h"

namespace rowfeed {

// Replaces literal integers that are compared or computed with decimal columns of the
// schema by decimals. Without this, Arrow refuses `price > 3`: it converts 3 to a
// decimal with as many digits as it has, and then finds that its integer type may have
// more.
Result<arrow::compute::Expression> WithDecimalLiterals(
    const arrow::compute::Expression& expression, const arrow::Schema& schema);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_DECIMAL_LITERALS_H_
