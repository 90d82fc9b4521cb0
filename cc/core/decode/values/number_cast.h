// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_NUMBER_CAST_H_
#define ROWFEED_CORE_DECODE_VALUES_NUMBER_CAST_H_

#include <memory>

#include "core/catalog/schema/column.h"
#include "core/decode/values/conversion.h"

namespace rowfeed {

// Makes a conversion between two types of numbers; bools count as 0 and 1. Conversion
// to a float type rounds to the nearest number (the even one if two are equally near),
// and gives infinity for values that are too large. Conversion to an integer or bool
// refuses values that the type does not hold exactly. nullptr if one of the types is no
// number.
std::shared_ptr<const Conversion> MakeNumberCast(DType from, DType to);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_NUMBER_CAST_H_
