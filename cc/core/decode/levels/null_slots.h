// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LEVELS_NULL_SLOTS_H_
#define ROWFEED_CORE_DECODE_LEVELS_NULL_SLOTS_H_

#include <cstdint>

#include "core/decode/levels/page_levels.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// Moves the levels.num_present values at the front of `slots` to the slots that they
// belong to, among all levels.num_slots, and puts `null_slot` into the others. Each
// slot has `width` bytes. Works from back to front, so that no value is overwritten
// before it has moved.
void SpreadOverNulls(const PageLevels& levels, int16_t max_level, int64_t width,
                     const void* null_slot, uint8_t* slots);

// Appends one byte per slot: 1 if it is present, 0 for a null.
Status AppendMask(const PageLevels& levels, int16_t max_level,
                  PooledArray<uint8_t>* mask);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_NULL_SLOTS_H_
