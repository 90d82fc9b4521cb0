// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_FILTER_COLUMNS_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_FILTER_COLUMNS_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/export.h"
#include "core/status.h"

namespace rowfeed {

// Returns the names of the columns that a filter reads, each once, with those of
// provenance.h. `serialized` is an expression as Arrow serializes it. It may come from
// anywhere: bytes that are no expression are kInvalid.
ROWFEED_EXPORT Result<std::vector<std::string>> FilterColumns(
    std::string_view serialized);

// Returns the names of the functions that a filter calls, at any depth, each once.
// `serialized` is as in FilterColumns.
ROWFEED_EXPORT Result<std::vector<std::string>> FilterFunctions(
    std::string_view serialized);

// Returns the options that a filter is made of: "filter", "split" or "filter and
// split". `serialized` is as in FilterColumns; of bytes that are no expression it is
// "filter".
std::string FilterOptions(std::string_view serialized);

// Returns a digest of a filter, 32 hexadecimal digits; "-" if there is no filter.
ROWFEED_EXPORT std::string FilterDigest(std::string_view serialized);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_FILTER_COLUMNS_H_
