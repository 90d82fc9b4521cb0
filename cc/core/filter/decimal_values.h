// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_DECIMAL_VALUES_H_
#define ROWFEED_CORE_FILTER_DECIMAL_VALUES_H_

#include <cstdint>
#include <memory>

#include "arrow/buffer.h"
#include "arrow/type_fwd.h"
#include "core/catalog/column.h"
#include "core/status.h"

namespace rowfeed {

// A column of decimals as if it were one of what they are stored as: integers, or
// bytes.
Column StoredDecimalColumn(const Column& column, const ColumnStorage& storage);

// Values side by side, as such a column has them.
struct StoredValues {
  const uint8_t* data;
  const int64_t* offsets;   // of bytes of any length; nullptr of all others
  const uint8_t* validity;  // a bit for each; nullptr: none is null
  int64_t size;
};

// The values of an Arrow array of `type`, a decimal256, which may have another scale
// than `storage` says. kInvalid: one has more decimals than that.
Result<std::shared_ptr<arrow::Buffer>> MakeDecimals(const StoredValues& values,
                                                    const ColumnStorage& storage,
                                                    const arrow::DataType& type);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_DECIMAL_VALUES_H_
