// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/conversion.h"

#include <cstring>
#include <utility>

#include "core/decode/decimal_conversion.h"
#include "core/decode/time_conversion.h"

namespace rowfeed {

Result<std::shared_ptr<const Conversion>> MakeConversion(const Column& source,
                                                         const ColumnStorage& storage,
                                                         const Column& wanted) {
  if (source.unit != wanted.unit || storage.physical == ColumnStorage::kInt96) {
    return MakeTimeConversion(source, storage, wanted.unit);
  }
  if (storage.is_decimal()) return MakeDecimalConversion(storage);
  return std::shared_ptr<const Conversion>();
}

std::vector<int64_t> ConvertAll(const Conversion& conversion, const uint8_t* values,
                                int64_t count, uint8_t* elements) {
  const int64_t element_bytes = conversion.element_bytes();
  std::vector<int64_t> refused;
  int64_t position = 0;
  while (true) {
    position +=
        conversion.Convert(values + position * conversion.value_bytes(),
                           count - position, elements + position * element_bytes);
    if (position == count) return refused;
    std::memset(elements + position * element_bytes, 0, element_bytes);
    refused.push_back(position++);
  }
}

}  // namespace rowfeed
