// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_DECIMAL_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_DECIMAL_CONVERSION_H_

#include <memory>

#include "core/catalog/schema/column.h"
#include "core/decode/values/conversion.h"

namespace rowfeed {

// Makes a conversion from decimals to float64: to the nearest number, and to the even
// one if two are equally near.
std::shared_ptr<const Conversion> MakeDecimalToFloat64(const ColumnStorage& storage);

// Makes a conversion from decimals to the integer type `to`. It refuses decimals that
// are no whole numbers or do not fit. nullptr if `to` is no integer type.
std::shared_ptr<const Conversion> MakeDecimalToInteger(const ColumnStorage& storage,
                                                       DType to);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_DECIMAL_CONVERSION_H_
