// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/uneven_block.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/decode/blocks/fixed_block.h"
#include "core/io/pooled_array.h"

namespace rowfeed {
namespace {

void LookUp(const Slots& slots, int64_t begin, int64_t end, uint8_t* out) {
  const int64_t width = slots.format.width;
  for (int64_t slot = begin; slot < end; ++slot, out += width) {
    std::memcpy(out, slots.dictionary + slots.indices[slot] * width, width);
  }
}

}  // namespace

Result<std::unique_ptr<ColumnBlock>> MakeUnevenBlock(
    Slots slots, const RowRange& rows, int64_t slots_per_row,
    const std::shared_ptr<BufferPool>& pool) {
  const auto num_even = static_cast<int64_t>(slots.even_rows->size());
  const int64_t row_bytes = slots_per_row * slots.format.width;
  // Memory for one row of zeros, and for the rows that are looked up in the dictionary.
  const int64_t num_made = 1 + (slots.indices == nullptr ? 0 : num_even);
  ROWFEED_ASSIGN_OR_RETURN(Buffer made, pool->Allocate(num_made * row_bytes));
  uint8_t* next = made.data();
  std::memset(next, 0, row_bytes);
  PooledArray<const uint8_t*> places(pool);
  ROWFEED_RETURN_NOT_OK(places.Resize(rows.size()));
  std::fill_n(places.data(), rows.size(), next);
  RowFinder finder(&slots, pool.get());
  for (const uint32_t row : *slots.even_rows) {
    if (slots.indices == nullptr) {
      ROWFEED_ASSIGN_OR_RETURN(places[row],
                               finder.Find(rows.Slot(row), rows.Slot(row + 1)));
    } else {
      places[row] = next += row_bytes;
      LookUp(slots, rows.Slot(row), rows.Slot(row + 1), next);
    }
  }
  const uint8_t* const* data = places.data();
  slots.buffers.push_back(places.Release());
  slots.buffers.push_back(std::move(made));
  return MakeScatteredBlock(rows.size(), row_bytes, data, std::move(slots.buffers));
}

}  // namespace rowfeed
