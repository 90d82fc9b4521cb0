// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_SLOT_FORMAT_H_
#define ROWFEED_CORE_DECODE_CHUNK_SLOT_FORMAT_H_

#include <cstdint>
#include <memory>

#include "core/catalog/schema/column.h"

namespace rowfeed {

class Conversion;

// How the values of a chunk are stored, and what one slot, the place of one element,
// holds in memory. A value of kByteArray is decoded as a parquet::ByteArray, which
// points to its bytes; the slot of a string is the same.
struct SlotFormat {
  ColumnStorage::Physical physical = ColumnStorage::kInt32;
  // Bytes of a plain value. 0: booleans (one bit each) or byte arrays (length and
  // bytes).
  int64_t stored_width = 0;
  int64_t value_width = 0;  // bytes of a decoded value, before conversion
  int64_t width = 0;        // bytes of a slot, after conversion
  // Number of slots in the lists of fixed size that make up one unit; 1 without such
  // lists.
  int64_t slots_per_unit = 1;
  int64_t slots_per_row = 1;  // number of slots of a row; 0 if rows differ
  bool is_list = false;
  // nullptr: decoded values are the slots
  std::shared_ptr<const Conversion> conversion;

  bool is_bytes() const {
    return physical == ColumnStorage::kByteArray && conversion == nullptr;
  }
  // Whether a plain value in the file has the bytes of its slot.
  bool is_verbatim() const { return stored_width == width && conversion == nullptr; }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_SLOT_FORMAT_H_
