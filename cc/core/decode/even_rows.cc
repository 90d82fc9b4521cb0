// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/even_rows.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "core/decode/pooled_array.h"

namespace rowfeed {
namespace {

// Rows of `row_bytes` side by side, of the slots [begin, end) of each row that has the
// size, which `find` finds.
template <typename Find>
Result<Buffer> CopyRows(const RowRange& rows, int64_t slots_per_row, int64_t row_bytes,
                        BufferPool* pool, const Find& find) {
  ROWFEED_ASSIGN_OR_RETURN(Buffer out, pool->Allocate(rows.size() * row_bytes));
  std::memset(out.data(), 0, rows.size() * row_bytes);
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int64_t begin = rows.Slot(i);
    const int64_t end = rows.Slot(i + 1);
    if (end - begin != slots_per_row) continue;
    ROWFEED_ASSIGN_OR_RETURN(const uint8_t* const row, find(begin, end));
    std::memcpy(out.data() + i * row_bytes, row, row_bytes);
  }
  return out;
}

// Where rows begin from now on; those before `rows` have nothing.
Result<Buffer> MakeOffsets(const RowRange& rows, int64_t slots_per_row,
                           const std::shared_ptr<BufferPool>& pool) {
  PooledArray<int64_t> offsets(pool);
  ROWFEED_RETURN_NOT_OK(offsets.Resize(rows.begin() + rows.size() + 1));
  for (int64_t i = 0; i < rows.begin(); ++i) offsets[i] = 0;
  for (int64_t i = 0; i <= rows.size(); ++i) {
    offsets[rows.begin() + i] = i * slots_per_row;
  }
  return offsets.Release();
}

}  // namespace

Status EvenOut(const RowRange& rows, bool has_slot_mask, Slots* slots,
               const std::shared_ptr<BufferPool>& pool) {
  const int64_t slots_per_row = slots->format.slots_per_row;
  if (slots_per_row == 0) return {};
  const bool has_indices = slots->indices != nullptr;
  const int64_t width = has_indices ? sizeof(int32_t) : slots->format.width;
  RowFinder finder(slots, pool.get());
  const auto find = [&](int64_t begin, int64_t end) -> Result<const uint8_t*> {
    if (!has_indices) return finder.Find(begin, end);
    return reinterpret_cast<const uint8_t*>(slots->indices + begin);
  };
  ROWFEED_ASSIGN_OR_RETURN(
      Buffer values,
      CopyRows(rows, slots_per_row, slots_per_row * width, pool.get(), find));
  if (has_slot_mask) {
    const auto find_mask = [&](int64_t begin, int64_t) -> Result<const uint8_t*> {
      return slots->mask + begin;
    };
    ROWFEED_ASSIGN_OR_RETURN(
        slots->mask_buffer,
        CopyRows(rows, slots_per_row, slots_per_row, pool.get(), find_mask));
    slots->mask = slots->mask_buffer.data();
  }
  ROWFEED_ASSIGN_OR_RETURN(Buffer offsets, MakeOffsets(rows, slots_per_row, pool));
  slots->num_slots = rows.size() * slots_per_row;
  if (has_indices) {
    slots->indices = values.as<int32_t>();
  } else {
    slots->segments = {{values.data(), 0, slots->num_slots}};
  }
  slots->offsets = offsets.as<int64_t>();
  slots->buffers.push_back(std::move(values));
  slots->buffers.push_back(std::move(offsets));
  return {};
}

}  // namespace rowfeed
