// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_DECIMAL_VALUES_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_DECIMAL_VALUES_H_

#include <cstdint>
#include <memory>

#include "arrow/buffer.h"
#include "arrow/type_fwd.h"
#include "core/catalog/schema/column.h"
#include "core/status.h"

namespace rowfeed {

// Describes a column of decimals as a column of the type that they are stored as:
// integers or bytes.
Column StoredDecimalColumn(const Column& column, const ColumnStorage& storage);

// Decoded values of such a column, side by side.
struct StoredValues {
  const uint8_t* data;
  const int64_t* offsets;   // offsets of bytes of any length; else nullptr
  const uint8_t* validity;  // one bit per value, 0 for null; nullptr: no nulls
  int64_t size;
};

// Makes the values of an Arrow array of `type`, a decimal256 type, whose scale may
// differ from that of `storage`. Returns kInvalid if a value has more decimal places
// than `type`.
Result<std::shared_ptr<arrow::Buffer>> MakeDecimals(const StoredValues& values,
                                                    const ColumnStorage& storage,
                                                    const arrow::DataType& type);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_DECIMAL_VALUES_H_
