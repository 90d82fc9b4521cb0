// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/null_slots.h"

#include <cstring>

#include "core/decode/width.h"

namespace rowfeed {

void SpreadOverNulls(const PageLevels& levels, int16_t max_level, int64_t width,
                     const void* null_slot, uint8_t* slots) {
  if (levels.slot_levels == nullptr) return;
  const auto* null_bytes = static_cast<const uint8_t*>(null_slot);
  WithWidth(width, [&](auto slot) {
    int64_t next = levels.num_present;
    for (int64_t i = levels.num_slots - 1; i >= next; --i) {
      const bool is_present = levels.slot_levels[i] == max_level;
      next -= is_present;
      slot.Copy(slots + i * slot.get(),
                is_present ? slots + next * slot.get() : null_bytes);
    }
  });
}

}  // namespace rowfeed
