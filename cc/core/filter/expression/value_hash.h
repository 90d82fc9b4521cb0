// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_VALUE_HASH_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_VALUE_HASH_H_

#include <cstdint>

#include "arrow/type_fwd.h"
#include "core/status.h"

namespace rowfeed {

// Writes a hash of each value to `out`, uniform in [0, 2^63): XXH3 of its bytes with
// `seed`, without the lowest bit. Equal values have equal hashes: integers of all
// widths, floats of all widths, 0.0 and -0.0, all NaN, all nulls. `values` has a type
// that FilterType returns.
Status HashValues(const arrow::Array& values, uint64_t seed, int64_t* out);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_VALUE_HASH_H_
