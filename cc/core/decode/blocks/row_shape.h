// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_ROW_SHAPE_H_
#define ROWFEED_CORE_DECODE_BLOCKS_ROW_SHAPE_H_

#include <cstdint>
#include <vector>

#include "core/catalog/schema/column.h"
#include "core/decode/chunk/padding.h"
#include "core/status.h"

namespace rowfeed {

// Functions that describe columns whose rows of any length become rows of one size.
// They return kInvalid with the reason if that is impossible.

// Returns the column with rows of this shape, as if the file promised it. One level of
// lists may take any shape with as many elements; several levels take one size for
// each.
Result<Column> WithShape(const Column& column, const std::vector<int64_t>& shape);

// Returns the column as batches hold it once its lists and strings are padded.
Result<Column> WithPadding(const Column& column, const Padding& padding);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_ROW_SHAPE_H_
