// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_COPY_ROW_H_
#define ROWFEED_CORE_DECODE_BLOCKS_COPY_ROW_H_

#include <cstdint>
#include <cstring>

namespace rowfeed {

// Does what memcpy does, without a function call for the lengths that most words and
// categories have: each is copied by two copies of fixed size that may overlap.
inline void CopyRow(uint8_t* __restrict out, const uint8_t* __restrict in,
                    int64_t size) {
  if (size > 32) {
    std::memcpy(out, in, size);
  } else if (size > 16) {
    std::memcpy(out, in, 16);
    std::memcpy(out + size - 16, in + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(out, in, 8);
    std::memcpy(out + size - 8, in + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(out, in, 4);
    std::memcpy(out + size - 4, in + size - 4, 4);
  } else if (size > 0) {
    out[0] = in[0];
    out[size / 2] = in[size / 2];
    out[size - 1] = in[size - 1];
  }
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_COPY_ROW_H_
