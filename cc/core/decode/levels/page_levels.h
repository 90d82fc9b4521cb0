// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LEVELS_PAGE_LEVELS_H_
#define ROWFEED_CORE_DECODE_LEVELS_PAGE_LEVELS_H_

#include <cstdint>

namespace rowfeed {

// The slots of one page, as its levels describe them. A slot is the place of one
// element: the value of a row, or one element of its list. A null has a slot too.
struct PageLevels {
  int64_t num_slots = 0;
  int64_t num_present = 0;  // number of slots whose value is stored
  // One definition level per slot. A slot has a value if its level is the maximum.
  // nullptr: all slots have one. Valid until the next page is read.
  const int16_t* slot_levels = nullptr;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_PAGE_LEVELS_H_
