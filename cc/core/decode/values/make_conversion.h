// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_MAKE_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_MAKE_CONVERSION_H_

#include <memory>

#include "core/catalog/schema/column.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/decode/values/conversion.h"
#include "core/status.h"

namespace rowfeed {

// Whether the user wants strings or binaries as arrays of their bytes, padded to one
// size.
bool ArePaddedBytes(const Column& source, const Column& wanted);

// Makes the conversion from values of `source`, stored as `storage` says, to elements
// of `wanted`; nullptr if no conversion is needed. If `encoding` is set, it says how
// strings become integers. kInvalid if there is no such conversion.
Result<std::shared_ptr<const Conversion>> MakeConversion(
    const Column& source, const ColumnStorage& storage, const Column& wanted,
    const StringEncoding& encoding);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_MAKE_CONVERSION_H_
