// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_INTERLEAVE_H_
#define ROWFEED_CORE_BATCH_INTERLEAVE_H_

#include <cstdint>
#include <vector>

namespace rowfeed {

// Writes value i of every column side by side, for each i in [0, num_rows). Each value
// has `width` bytes.
void Interleave(const std::vector<const uint8_t*>& columns, int64_t width,
                int64_t num_rows, uint8_t* out);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_INTERLEAVE_H_
