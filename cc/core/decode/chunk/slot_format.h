// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_SLOT_FORMAT_H_
#define ROWFEED_CORE_DECODE_CHUNK_SLOT_FORMAT_H_

#include <cstdint>
#include <memory>

#include "core/catalog/column.h"

namespace rowfeed {

class Conversion;

// How one slot (the place of one element) looks in the file and in memory. A value of
// kByteArray is decoded as a parquet::ByteArray that points to its bytes, and so is the
// slot of a string.
struct SlotFormat {
  ColumnStorage::Physical physical = ColumnStorage::kInt32;
  int64_t stored_width = 0;    // bytes of a plain value; 0: bits, or length and bytes
  int64_t value_width = 0;     // bytes of a value as decoded
  int64_t width = 0;           // bytes of a slot
  int64_t slots_per_unit = 1;  // of the lists of fixed size; without: 1
  int64_t slots_per_row = 1;   // 0 where rows differ
  bool is_list = false;
  std::shared_ptr<const Conversion> conversion;  // null: decoded values are slots

  bool is_bytes() const {
    return physical == ColumnStorage::kByteArray && conversion == nullptr;
  }
  // Plain values are slots as they are.
  bool is_verbatim() const { return stored_width == width && conversion == nullptr; }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_SLOT_FORMAT_H_
