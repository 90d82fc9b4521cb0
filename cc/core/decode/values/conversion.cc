// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/conversion.h"

#include <algorithm>
#include <cstring>

namespace rowfeed {

std::vector<int64_t> ConvertAll(const Conversion& conversion, const uint8_t* values,
                                int64_t count, uint8_t* elements) {
  const int64_t element_bytes = conversion.element_bytes();
  std::vector<int64_t> refused;
  int64_t position = 0;
  // Conversions work run by run, and repeat the run in which they find a value that
  // they refuse. So after a refusal only one value is asked for, then twice as many
  // each time; else many refused values would cost a run each.
  int64_t reach = count;
  while (position < count) {
    const int64_t size = std::min(reach, count - position);
    const int64_t converted =
        conversion.Convert(values + position * conversion.value_bytes(), size,
                           elements + position * element_bytes);
    position += converted;
    reach = 2 * size;
    if (converted == size) continue;
    std::memset(elements + position * element_bytes, 0, element_bytes);
    refused.push_back(position++);
    reach = 1;
  }
  return refused;
}

}  // namespace rowfeed
