// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LEVELS_PAGE_LEVELS_H_
#define ROWFEED_CORE_DECODE_LEVELS_PAGE_LEVELS_H_

#include <cstdint>

namespace rowfeed {

// What the levels of one page say of its slots. A slot is the place of one element: of
// a row, or of a list's element; a null has one too.
struct PageLevels {
  int64_t num_slots = 0;
  int64_t num_present = 0;  // slots whose value is stored
  // One definition level per slot; a slot is present if its level is the maximum.
  // nullptr: all are present. Valid until the next page.
  const int16_t* slot_levels = nullptr;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_PAGE_LEVELS_H_
