// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_TIME_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_TIME_CONVERSION_H_

#include <memory>
#include <string>

#include "core/catalog/column.h"
#include "core/decode/values/conversion.h"
#include "core/status.h"

namespace rowfeed {

// Makes int64 of timestamps, times and durations, in `unit` ("s", "ms", "us" or "ns").
// Coarser units are rounded down, as NumPy does; what a finer unit cannot hold is
// refused. INT96 timestamps are converted to any unit at once, their own included.
Result<std::shared_ptr<const Conversion>> MakeTimeConversion(
    const Column& source, const ColumnStorage& storage, const std::string& unit);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_TIME_CONVERSION_H_
