// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_MAKE_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_MAKE_CONVERSION_H_

#include <memory>

#include "core/catalog/column.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/decode/values/conversion.h"
#include "core/status.h"

namespace rowfeed {

// Whether strings or binaries are wanted as arrays of their bytes, padded to one size.
bool ArePaddedBytes(const Column& source, const Column& wanted);

// What makes elements of `wanted` from the values of `source` that are stored like
// this; nullptr if they are that already. `encoding`: of strings, if it is set.
// kInvalid if it makes no sense.
Result<std::shared_ptr<const Conversion>> MakeConversion(
    const Column& source, const ColumnStorage& storage, const Column& wanted,
    const StringEncoding& encoding);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_MAKE_CONVERSION_H_
