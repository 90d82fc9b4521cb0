// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_CACHE_LINE_H_
#define ROWFEED_CORE_BATCH_CACHE_LINE_H_

#include <cstdint>

namespace rowfeed {

inline constexpr int64_t kCacheLine = 64;

// Rounds up to a multiple of kCacheLine.
inline int64_t AlignToLine(int64_t bytes) {
  return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_CACHE_LINE_H_
