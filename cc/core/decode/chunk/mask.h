// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_MASK_H_
#define ROWFEED_CORE_DECODE_CHUNK_MASK_H_

#include <cstdint>

namespace rowfeed {

// What is said, beside the values of a column, about its nulls.
enum class Mask : uint8_t {
  kNone,
  kElements,  // which elements are none, at every place that a batch has for one
  kRows,      // which rows are none: a list that is null, not one that is empty
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_MASK_H_
