// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/part.h"

namespace rowfeed {

std::vector<Part> PartsOf(const Column& column, Mask mask) {
  std::vector<Part> parts;
  const int levels = column.ragged_rank + (column.is_bytes() ? 1 : 0);
  for (int level = 1; level < levels; ++level) {
    parts.push_back({Part::Kind::kLengths, true, sizeof(int64_t)});
  }
  parts.push_back({Part::Kind::kValues, column.is_variable(), column.unit_bytes()});
  if (mask != Mask::kNone) {
    const Column flags = MaskOf(column, mask);
    parts.push_back({Part::Kind::kMask, flags.is_variable(), flags.unit_bytes()});
  }
  return parts;
}

Column MaskOf(const Column& column, Mask kind) {
  Column mask;
  mask.name = column.name + "__mask";
  mask.path = {mask.name};
  mask.logical_type = DTypeName(DType::kBool);
  mask.dtype = DType::kBool;
  if (kind == Mask::kRows) return mask;
  mask.ragged_rank = column.ragged_rank;
  mask.dense_shape = column.dense_shape;
  mask.list_sizes = column.list_sizes;
  int64_t num_slots = 1;
  for (const int64_t size : column.list_sizes) num_slots *= size;
  const ColumnStorage& storage = column.storage;
  const bool is_one_byte = storage.physical == ColumnStorage::kFixedLenByteArray &&
                           storage.type_length == 1 && !storage.is_decimal();
  const bool has_bytes = is_one_byte || column.num_elements() != num_slots;
  if (has_bytes) mask.dense_shape.pop_back();
  return mask;
}

}  // namespace rowfeed
