// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CEIL_DIV_H_
#define ROWFEED_CORE_CEIL_DIV_H_

#include <cstdint>

namespace rowfeed {

// Returns a / b, rounded up; a >= 0, b > 0.
inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CEIL_DIV_H_
