// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_UNSIGNED_LITERALS_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_UNSIGNED_LITERALS_H_

#include "arrow/compute/expression.h"
#include "arrow/type_fwd.h"
#include "core/status.h"

namespace rowfeed {

// Converts literal integers that are compared with uint64 columns to uint64, unless
// they are negative. Without this, Arrow compares both as int64, and fails at values of
// 2^63 and more.
Result<arrow::compute::Expression> WithUnsignedLiterals(
    const arrow::compute::Expression& expression, const arrow::Schema& schema);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_UNSIGNED_LITERALS_H_
