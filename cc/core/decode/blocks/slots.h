// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_SLOTS_H_
#define ROWFEED_CORE_DECODE_BLOCKS_SLOTS_H_

#include <cstdint>
#include <vector>

#include "core/decode/chunk/slot_format.h"
#include "core/decode/levels/nested_levels.h"
#include "core/io/buffer_pool.h"

namespace rowfeed {

// Slots [begin, end), which lie side by side in memory.
struct Segment {
  const uint8_t* data;
  int64_t begin;
  int64_t end;
};

// The decoded elements of a run of rows, nulls filled: blocks are made of this. Slots
// are either values in segments, or indices into a dictionary.
struct Slots {
  SlotFormat format;
  // The first row that starts in these slots, numbered within the row group.
  int64_t first_row = 0;
  int64_t num_slots = 0;

  std::vector<Segment> segments;  // all slots: segments in order, without gaps
  const int32_t* indices = nullptr;
  const uint8_t* dictionary = nullptr;

  // True: the slots were written to ChunkRequest::places, and are nowhere else.
  bool are_placed = false;

  // Lists only: the first slot of each row, and num_slots at the end.
  const int64_t* offsets = nullptr;
  int64_t num_rows = 0;
  // The lists inside the lists of rows, one entry per depth.
  std::vector<InnerLists> inner_lists;
  // Lists of one size only: the rows, counted from ChunkRequest::begin_row, that have
  // this size, if some rows that nobody wants do not; nullptr: all rows have it.
  const std::vector<uint32_t>* even_rows = nullptr;

  // The mask that ChunkRequest::mask asks for: one byte per slot, or one per row from
  // first_row on.
  const uint8_t* mask = nullptr;
  Buffer mask_buffer;

  // Owners of the memory that pointers and strings lead to.
  std::vector<Buffer> buffers;
};

// Moves the mask out of `slots`, and returns it as slots of one byte each.
Slots TakeMask(Slots* slots);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_SLOTS_H_
