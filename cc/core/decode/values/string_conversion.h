// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_STRING_CONVERSION_H_
#define ROWFEED_CORE_DECODE_VALUES_STRING_CONVERSION_H_

#include <memory>

#include "core/catalog/schema/column.h"
#include "core/decode/chunk/string_encoding.h"
#include "core/decode/values/conversion.h"
#include "core/status.h"

namespace rowfeed {

// Makes a conversion from strings or binaries to integers of type `to`, as `encoding`
// says. kInvalid if `source` has no strings or binaries, or if `to` does not hold every
// integer that the encoding can give.
Result<std::shared_ptr<const Conversion>> MakeStringConversion(
    const Column& source, const StringEncoding& encoding, DType to);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_STRING_CONVERSION_H_
