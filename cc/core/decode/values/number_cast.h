// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_NUMBER_CAST_H_
#define ROWFEED_CORE_DECODE_VALUES_NUMBER_CAST_H_

#include <memory>

#include "core/catalog/column.h"
#include "core/decode/values/conversion.h"

namespace rowfeed {

// Makes numbers of one type of those of another; bools are 0 and 1. Floats are rounded
// to the nearest, the even one of two, and infinite where they are too large. Integers
// and bools are made of values that they hold exactly, all others are refused. nullptr
// where one of the types is no number.
std::shared_ptr<const Conversion> MakeNumberCast(DType from, DType to);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_NUMBER_CAST_H_
