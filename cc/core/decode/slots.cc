// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/slots.h"

#include <algorithm>
#include <utility>

#include "core/decode/fixed_block.h"
#include "core/decode/list_blocks.h"
#include "core/decode/row_finder.h"
#include "core/decode/variable_block.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

Status SizeError(const ChunkRequest& request, int64_t row, int64_t found,
                 int64_t expected) {
  return Status::Corrupt("row ", request.begin_row + row, " of the row group has ",
                         found, " elements, expected ", expected);
}

// That lists have the sizes that the column says.
Status CheckListSizes(const Slots& slots, const RowRange& rows,
                      const ChunkRequest& request) {
  const Column& column = *request.source;
  const auto num_ragged = static_cast<size_t>(column.ragged_rank);
  for (size_t depth = std::max<size_t>(num_ragged, 1);
       depth <= slots.inner_lists.size(); ++depth) {
    const InnerLists& lists = slots.inner_lists[depth - 1];
    const int64_t expected = column.list_sizes[depth - num_ragged];
    for (int64_t i = 0; i < rows.size(); ++i) {
      for (int64_t k = rows.List(lists, i); k < rows.List(lists, i + 1); ++k) {
        if (lists.lengths[k] != expected) {
          return SizeError(request, i, lists.lengths[k], expected);
        }
      }
    }
  }
  const int64_t expected = slots.format.slots_per_row;
  for (int64_t i = 0; expected > 0 && i < rows.size(); ++i) {
    const int64_t found = rows.Slot(i + 1) - rows.Slot(i);
    if (found != expected) return SizeError(request, i, found, expected);
  }
  return {};
}

Result<std::unique_ptr<ColumnBlock>> MakeFixed(
    Slots slots, const RowRange& rows, int64_t slots_per_row,
    const std::shared_ptr<BufferPool>& pool) {
  const int64_t width = slots.format.width;
  if (slots.indices != nullptr) {
    return MakeDictionaryBlock(rows.size(), slots_per_row, width,
                               slots.indices + rows.Slot(0), slots.dictionary,
                               std::move(slots.buffers));
  }
  const int64_t row_bytes = slots_per_row * width;
  if (slots.segments.size() <= 1) {
    const uint8_t* data = slots.segments.empty() ? nullptr : slots.segments[0].data;
    return MakeContiguousBlock(rows.size(), row_bytes, data + rows.Slot(0) * width,
                               std::move(slots.buffers));
  }
  PooledArray<const uint8_t*> places(pool);
  ROWFEED_RETURN_NOT_OK(places.Resize(rows.size()));
  RowFinder finder(&slots, pool.get());
  for (int64_t i = 0; i < rows.size(); ++i) {
    ROWFEED_ASSIGN_OR_RETURN(places[i], finder.Find(rows.Slot(i), rows.Slot(i + 1)));
  }
  const uint8_t* const* data = places.data();
  slots.buffers.push_back(places.Release());
  return MakeScatteredBlock(rows.size(), row_bytes, data, std::move(slots.buffers));
}

Result<std::unique_ptr<ColumnBlock>> MakeStrings(Slots slots, const RowRange& rows) {
  if (slots.indices != nullptr) {
    return MakeStringDictionaryBlock(
        rows.size(), slots.indices + rows.Slot(0),
        reinterpret_cast<const ByteArray*>(slots.dictionary), std::move(slots.buffers));
  }
  const uint8_t* data = slots.segments.empty() ? nullptr : slots.segments[0].data;
  return MakeViewBlock(rows.size(), /*width=*/1,
                       reinterpret_cast<const ByteArray*>(data) + rows.Slot(0),
                       std::move(slots.buffers));
}

// Masks are the slots of a column of bytes.
Slots MaskSlots(Slots* slots) {
  Slots mask;
  mask.format.width = 1;
  mask.format.is_list = slots->format.is_list;
  mask.format.slots_per_unit = slots->format.slots_per_unit;
  mask.format.slots_per_row = slots->format.slots_per_row;
  mask.num_slots = slots->num_slots;
  mask.segments.push_back({slots->mask, 0, slots->num_slots});
  mask.buffers.push_back(std::move(slots->mask_buffer));
  return mask;
}

Result<std::unique_ptr<ColumnBlock>> MakeMask(Slots* slots, const RowRange& rows,
                                              const ChunkRequest& request,
                                              const std::shared_ptr<BufferPool>& pool) {
  Slots mask = MaskSlots(slots);
  if (mask.format.slots_per_row > 0) {
    const int64_t per_row = mask.format.slots_per_row;
    return MakeFixed(std::move(mask), rows, per_row, pool);
  }
  if (request.padding == nullptr) {
    return MakeLists(std::move(mask), rows, request, pool);
  }
  const Padding padding{request.padding->length, request.padding->truncate,
                        std::string(1, '\0')};
  ChunkRequest padded = request;
  padded.padding = &padding;
  return MakeLists(std::move(mask), rows, padded, pool);
}

}  // namespace

Result<PartBlocks> MakeBlocks(Slots slots, const ChunkRequest& request,
                              const std::shared_ptr<BufferPool>& pool) {
  const RowRange rows(slots, request);
  const SlotFormat format = slots.format;
  PartBlocks blocks;
  if (format.is_list) ROWFEED_RETURN_NOT_OK(CheckListSizes(slots, rows, request));
  for (int32_t depth = 1; depth < request.source->ragged_rank; ++depth) {
    ROWFEED_ASSIGN_OR_RETURN(
        blocks.emplace_back(),
        MakeLengths(std::move(slots.inner_lists[depth - 1]), rows, pool));
  }
  if (format.is_list && format.is_bytes()) {
    ROWFEED_ASSIGN_OR_RETURN(blocks.emplace_back(),
                             MakeStringLengths(slots, rows, pool));
  }
  std::unique_ptr<ColumnBlock> mask;
  if (request.with_mask) {
    ROWFEED_ASSIGN_OR_RETURN(mask, MakeMask(&slots, rows, request, pool));
  }
  // The offsets, which `rows` reads, lie in a buffer of the slots.
  if (format.slots_per_row == 0) {
    ROWFEED_ASSIGN_OR_RETURN(blocks.emplace_back(),
                             MakeLists(std::move(slots), rows, request, pool));
  } else if (format.is_bytes()) {
    ROWFEED_ASSIGN_OR_RETURN(blocks.emplace_back(),
                             MakeStrings(std::move(slots), rows));
  } else {
    ROWFEED_ASSIGN_OR_RETURN(
        blocks.emplace_back(),
        MakeFixed(std::move(slots), rows, format.slots_per_row, pool));
  }
  if (mask != nullptr) blocks.push_back(std::move(mask));
  return blocks;
}

}  // namespace rowfeed
