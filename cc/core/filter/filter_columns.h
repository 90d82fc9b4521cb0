// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_FILTER_COLUMNS_H_
#define ROWFEED_CORE_FILTER_FILTER_COLUMNS_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/status.h"

namespace rowfeed {

// The columns that a filter reads, each once. `serialized`: an expression as Arrow
// serializes it; of unknown origin, it may be kInvalid.
Result<std::vector<std::string>> FilterColumns(std::string_view serialized);

// 32 hexadecimal digits of a filter; "-" of none.
std::string FilterDigest(std::string_view serialized);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_FILTER_COLUMNS_H_
