// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_MASK_H_
#define ROWFEED_CORE_DECODE_CHUNK_MASK_H_

#include <array>
#include <cstdint>

#include "core/enum_table.h"

namespace rowfeed {

// Selects what a mask beside the values of a column reports about nulls.
enum class Mask : uint8_t {
  kNone,
  kElements,  // one flag for each element of a batch: is it null?
  kRows,      // one flag per row: is its list null? (An empty list is not.)
};

template <>
struct EnumTable<Mask> {
  static constexpr auto kWhat = "mask";
  static constexpr std::array kNames = {"none", "elements", "rows"};
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_MASK_H_
