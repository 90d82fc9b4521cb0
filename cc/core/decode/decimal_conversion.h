// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_DECIMAL_CONVERSION_H_
#define ROWFEED_CORE_DECODE_DECIMAL_CONVERSION_H_

#include <memory>

#include "core/catalog/column.h"
#include "core/decode/conversion.h"
#include "core/status.h"

namespace rowfeed {

// Makes float64 of decimals: always the one nearest to the decimal number, the even one
// of two.
Result<std::shared_ptr<const Conversion>> MakeDecimalConversion(
    const ColumnStorage& storage);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_DECIMAL_CONVERSION_H_
