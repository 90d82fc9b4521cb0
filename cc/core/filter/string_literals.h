// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_STRING_LITERALS_H_
#define ROWFEED_CORE_FILTER_STRING_LITERALS_H_

#include "arrow/compute/expression.h"
#include "core/status.h"

namespace rowfeed {

// kInvalid if a string among the literals of an expression, or in a set that it looks
// values up in, is not UTF-8. Arrow compares such strings in silence.
Status CheckStringLiterals(const arrow::compute::Expression& expression);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_STRING_LITERALS_H_
