// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_TIME_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_TIME_CONVERSION_H_

#include <memory>
#include <string>

#include "core/catalog/schema/column.h"
#include "core/decode/values/conversion.h"
#include "core/status.h"

namespace rowfeed {

// Makes a conversion from timestamps, times of day and durations to int64 in `unit`
// ("s", "ms", "us" or "ns"). Coarser units round down, as NumPy does; a value that does
// not fit in a finer unit is refused. INT96 timestamps always need a conversion, even
// to their own unit.
Result<std::shared_ptr<const Conversion>> MakeTimeConversion(
    const Column& source, const ColumnStorage& storage, const std::string& unit);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_TIME_CONVERSION_H_
