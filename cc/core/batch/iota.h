// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_IOTA_H_
#define ROWFEED_CORE_BATCH_IOTA_H_

#include <cstdint>
#include <numeric>
#include <vector>

namespace rowfeed {

// Returns `size` numbers: begin, begin + 1, ...
inline std::vector<uint32_t> Iota(int64_t size, int64_t begin = 0) {
  std::vector<uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), static_cast<uint32_t>(begin));
  return numbers;
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_IOTA_H_
