// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_DECIMAL_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_DECIMAL_CONVERSION_H_

#include <memory>

#include "core/catalog/column.h"
#include "core/decode/values/conversion.h"

namespace rowfeed {

// Makes float64 of decimals: always the one nearest to the decimal number, the even one
// of two.
std::shared_ptr<const Conversion> MakeDecimalToFloat64(const ColumnStorage& storage);

// Makes integers of decimals that are whole numbers and fit; all others are refused.
// nullptr if `to` is no integer.
std::shared_ptr<const Conversion> MakeDecimalToInteger(const ColumnStorage& storage,
                                                       DType to);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_DECIMAL_CONVERSION_H_
