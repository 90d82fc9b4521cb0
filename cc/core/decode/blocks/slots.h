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

// Slots [begin, end), side by side.
struct Segment {
  const uint8_t* data;
  int64_t begin;
  int64_t end;
};

// Decoded elements of a run of rows, nulls filled: what a block is made of. Either
// values in segments, or indices into a dictionary.
struct Slots {
  SlotFormat format;
  int64_t first_row = 0;  // of the row group: the first row that starts here
  int64_t num_slots = 0;

  std::vector<Segment> segments;  // in order, without gaps
  const int32_t* indices = nullptr;
  const uint8_t* dictionary = nullptr;

  bool are_placed = false;  // they are in ChunkRequest::places, and nowhere else

  // Lists: the first slot of each row, and num_slots at the end.
  const int64_t* offsets = nullptr;
  int64_t num_rows = 0;
  std::vector<InnerLists> inner_lists;  // at each depth within the lists of rows
  // Lists of one size: the rows that have it, counted from ChunkRequest::begin_row,
  // where others, which nobody wants, do not; nullptr: all.
  const std::vector<uint32_t>* even_rows = nullptr;

  // One byte per slot, or per row from first_row on: what ChunkRequest::mask asks for.
  const uint8_t* mask = nullptr;
  Buffer mask_buffer;

  std::vector<Buffer> buffers;  // all that the pointers above, and strings, lead to
};

// Masks of slots are the slots of a column of bytes. Takes the mask.
Slots TakeMask(Slots* slots);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_SLOTS_H_
