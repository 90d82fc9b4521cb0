// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/make_blocks.h"

#include <algorithm>
#include <utility>

#include "core/decode/blocks/fixed_block.h"
#include "core/decode/blocks/list_blocks.h"
#include "core/decode/blocks/padded_block.h"
#include "core/decode/blocks/row_finder.h"
#include "core/decode/blocks/uneven_block.h"
#include "core/decode/blocks/variable_block.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

Status SizeError(const ChunkRequest& request, int64_t row, int64_t found,
                 int64_t expected) {
  const StatusCode code =
      request.has_shape ? StatusCode::kInvalid : StatusCode::kCorrupt;
  return Status::Make(code, "row ", request.begin_row + row, " of the row group has ",
                      found, " elements, expected ", expected,
                      request.has_shape ? " by its shape" : "");
}

// Whether all lists have the sizes that the column says. If the file promised the
// sizes, a list of another size is an error; if the user gave them, only in a wanted
// row.
Result<bool> HaveListSizes(const Slots& slots, const RowRange& rows,
                           const ChunkRequest& request) {
  const Column& column = *request.source;
  const auto num_ragged = static_cast<size_t>(column.ragged_rank);
  bool are_even = true;
  const auto check = [&](int64_t i, int64_t found, int64_t expected) -> Status {
    if (found == expected) return {};
    are_even = false;
    return request.has_shape && !request.wanted().Contains(request.begin_row + i)
               ? Status()
               : SizeError(request, i, found, expected);
  };
  for (size_t depth = std::max<size_t>(num_ragged, 1);
       depth <= slots.inner_lists.size(); ++depth) {
    const InnerLists& lists = slots.inner_lists[depth - 1];
    const int64_t expected = column.list_sizes[depth - num_ragged];
    for (int64_t i = 0; i < rows.size(); ++i) {
      for (int64_t k = rows.List(lists, i); k < rows.List(lists, i + 1); ++k) {
        ROWFEED_RETURN_NOT_OK(check(i, lists.lengths[k], expected));
      }
    }
  }
  for (int64_t i = 0; num_ragged == 0 && i < rows.size(); ++i) {
    const int64_t expected = column.list_sizes[0];
    const int64_t found = slots.inner_lists.empty()
                              ? rows.Slot(i + 1) - rows.Slot(i)
                              : rows.List(slots.inner_lists[0], i + 1) -
                                    rows.List(slots.inner_lists[0], i);
    ROWFEED_RETURN_NOT_OK(check(i, found, expected));
  }
  return are_even;
}

Result<std::unique_ptr<ColumnBlock>> MakeFixed(
    Slots slots, const RowRange& rows, int64_t slots_per_row,
    const std::shared_ptr<BufferPool>& pool) {
  if (slots.are_placed) return std::unique_ptr<ColumnBlock>();
  if (slots.even_rows != nullptr) {
    return MakeUnevenBlock(std::move(slots), rows, slots_per_row, pool);
  }
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

Result<std::unique_ptr<ColumnBlock>> MakeMask(Slots mask, const RowRange& rows,
                                              const std::shared_ptr<BufferPool>& pool) {
  const int64_t per_row = mask.format.slots_per_row;
  return per_row > 0 ? MakeFixed(std::move(mask), rows, per_row, pool)
                     : MakeLists(std::move(mask), rows, pool);
}

std::unique_ptr<ColumnBlock> MakeRowMask(Slots* slots, const RowRange& rows) {
  std::vector<Buffer> buffers;
  buffers.push_back(std::move(slots->mask_buffer));
  return MakeContiguousBlock(rows.size(), /*row_bytes=*/1, slots->mask + rows.begin(),
                             std::move(buffers));
}

// Adds the blocks of all parts but the mask: the lengths of lists and strings, where
// rows have any length, and the values.
Status AddParts(Slots slots, const RowRange& rows, const ChunkRequest& request,
                const std::shared_ptr<BufferPool>& pool, PartBlocks* blocks) {
  const SlotFormat format = slots.format;
  for (int32_t depth = 1; depth < request.source->ragged_rank; ++depth) {
    ROWFEED_ASSIGN_OR_RETURN(
        blocks->emplace_back(),
        MakeLengths(std::move(slots.inner_lists[depth - 1]), rows, pool));
  }
  if (format.is_list && format.is_bytes()) {
    ROWFEED_ASSIGN_OR_RETURN(blocks->emplace_back(),
                             MakeStringLengths(slots, rows, pool));
  }
  // This part comes last: `rows` reads the offsets of `slots`, which are moved away
  // here.
  if (format.slots_per_row == 0) {
    ROWFEED_ASSIGN_OR_RETURN(blocks->emplace_back(),
                             MakeLists(std::move(slots), rows, pool));
  } else if (format.is_bytes()) {
    ROWFEED_ASSIGN_OR_RETURN(blocks->emplace_back(),
                             MakeStrings(std::move(slots), rows));
  } else {
    ROWFEED_ASSIGN_OR_RETURN(
        blocks->emplace_back(),
        MakeFixed(std::move(slots), rows, format.slots_per_row, pool));
  }
  return {};
}

}  // namespace

Result<PartBlocks> MakeBlocks(Slots slots, const ChunkRequest& request,
                              const std::shared_ptr<BufferPool>& pool) {
  const RowRange rows(slots, request);
  if (slots.format.is_list) {
    ROWFEED_ASSIGN_OR_RETURN(const bool are_even, HaveListSizes(slots, rows, request));
    if (!are_even) slots.even_rows = request.some_rows;
  }
  const bool is_padded = request.padding != nullptr;
  std::unique_ptr<ColumnBlock> mask;
  if (request.masks_rows()) {
    mask = MakeRowMask(&slots, rows);
  } else if (request.mask == Mask::kRows ||
             (request.mask == Mask::kElements && !is_padded)) {
    ROWFEED_ASSIGN_OR_RETURN(mask, MakeMask(TakeMask(&slots), rows, pool));
  }
  PartBlocks blocks;
  if (is_padded) {
    ROWFEED_ASSIGN_OR_RETURN(blocks,
                             MakePaddedBlocks(std::move(slots), rows, request, pool));
  } else {
    ROWFEED_RETURN_NOT_OK(AddParts(std::move(slots), rows, request, pool, &blocks));
  }
  if (mask != nullptr) blocks.push_back(std::move(mask));
  return blocks;
}

}  // namespace rowfeed
