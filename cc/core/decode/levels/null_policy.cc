// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/levels/null_policy.h"

#include <algorithm>

#include "core/decode/chunk/memory_pool.h"

namespace rowfeed {

Status NullError(int64_t row) {
  return Status::Invalid("null at row ", row,
                         " of the row group; give a fill for the column "
                         "(rowfeed.Column(name, fill=...)), a mask (mask=True), or a "
                         "filter that leaves such rows out");
}

int64_t MaxNullSlots(const ChunkRequest& request) {
  const Column& source = *request.source;
  int64_t slots_per_unit = 1;
  for (const int64_t size : source.list_sizes) slots_per_unit *= size;
  const int64_t slot_bytes = std::max<int64_t>(1, source.unit_bytes() / slots_per_unit);
  const int64_t of_any_size = MaxDecodedBytes(request.chunk) / slot_bytes;
  if (source.ragged_rank > 0) return of_any_size;
  // Lists of a fixed size may be null in every row: the memory of their batches was
  // planned for as many slots.
  const int64_t of_size = request.group_rows * slots_per_unit;
  // If the user gave the shape, rows that nobody wants may have other sizes.
  return request.has_shape ? std::max(of_size, of_any_size) : of_size;
}

Status NullSlotsError() {
  return {StatusCode::kOutOfMemory,
          "null lists stand for far more elements than the size of the chunk allows"};
}

}  // namespace rowfeed
