// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/slots.h"

#include <utility>

namespace rowfeed {

Slots TakeMask(Slots* slots) {
  Slots mask;
  mask.format.width = 1;
  mask.format.is_list = slots->format.is_list;
  mask.format.slots_per_unit = slots->format.slots_per_unit;
  mask.format.slots_per_row = slots->format.slots_per_row;
  mask.num_slots = slots->num_slots;
  mask.even_rows = slots->even_rows;
  mask.segments.push_back({slots->mask, 0, slots->num_slots});
  mask.buffers.push_back(std::move(slots->mask_buffer));
  return mask;
}

}  // namespace rowfeed
