// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/levels/null_slots.h"

#include <algorithm>

#include "core/width.h"

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

Status AppendMask(const PageLevels& levels, int16_t max_level,
                  PooledArray<uint8_t>* mask) {
  const int64_t size = mask->size();
  ROWFEED_RETURN_NOT_OK(mask->Resize(size + levels.num_slots));
  uint8_t* out = mask->data() + size;
  const int16_t* slots = levels.slot_levels;
  if (slots == nullptr) {
    // fill_n and not memset: `out` may be nullptr if there are no slots.
    std::fill_n(out, levels.num_slots, uint8_t{1});
    return {};
  }
  for (int64_t i = 0; i < levels.num_slots; ++i) out[i] = slots[i] == max_level ? 1 : 0;
  return {};
}

}  // namespace rowfeed
