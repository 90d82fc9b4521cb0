// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_TEXT_AT_H_
#define ROWFEED_TESTING_TEXT_AT_H_

#include <cstdint>
#include <string>

#include "core/batch/batch.h"

namespace rowfeed::testing {

// Returns the string of row `row` in a part of strings.
inline std::string TextAt(const BatchPart& part, int64_t row) {
  if (part.strings != nullptr) {
    const InlineString& string = part.strings[row];
    const auto* begin = reinterpret_cast<const char*>(string.bytes) + 1;
    return {begin, begin + string.size()};
  }
  const auto* begin = reinterpret_cast<const char*>(part.data);
  return {begin + part.offsets[row], begin + part.offsets[row + 1]};
}

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_TEXT_AT_H_
