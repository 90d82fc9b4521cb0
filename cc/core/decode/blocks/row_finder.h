// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_ROW_FINDER_H_
#define ROWFEED_CORE_DECODE_BLOCKS_ROW_FINDER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/decode/blocks/slots.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/decode/levels/nested_levels.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// The requested rows, and which of `slots` are theirs.
class RowRange {
 public:
  RowRange(const Slots& slots, const ChunkRequest& request)
      : offsets_(slots.offsets),
        begin_(request.begin_row - slots.first_row),
        size_(request.end_row - request.begin_row) {}

  int64_t size() const { return size_; }
  // The first requested row, counted from Slots::first_row.
  int64_t begin() const { return begin_; }
  // Returns the first slot of requested row i; for i == size(), the end of the last
  // row.
  int64_t Slot(int64_t i) const {
    return offsets_ == nullptr ? begin_ + i : offsets_[begin_ + i];
  }
  // Returns the first list of requested row i at the depth of `lists`; for i == size(),
  // the end of the last row's lists.
  int64_t List(const InnerLists& lists, int64_t i) const {
    return lists.row_begins[begin_ + i];
  }

 private:
  const int64_t* const offsets_;
  const int64_t begin_;
  const int64_t size_;
};

// Finds where the slots of rows lie in the segments of `slots`. Rows must be asked for
// in ascending order.
class RowFinder {
 public:
  RowFinder(Slots* slots, BufferPool* pool) : slots_(slots), pool_(pool) {}

  // Returns a pointer to slots [begin, end), which lie side by side. Slots that cross
  // the end of a segment are copied together into memory that is added to
  // slots->buffers.
  Result<const uint8_t*> Find(int64_t begin, int64_t end) {
    if (begin == end) return nullptr;
    while (Current().end <= begin) ++current_;
    const uint8_t* data = Current().data + (begin - Current().begin) * width();
    if (end <= Current().end) return data;
    return Join(begin, end);
  }

 private:
  const Segment& Current() const { return slots_->segments[current_]; }
  int64_t width() const { return slots_->format.width; }

  Result<const uint8_t*> Join(int64_t begin, int64_t end) {
    ROWFEED_ASSIGN_OR_RETURN(Buffer joined, pool_->Allocate((end - begin) * width()));
    uint8_t* out = joined.data();
    while (begin < end) {
      const Segment& segment = Current();
      const int64_t size = (std::min(end, segment.end) - begin) * width();
      std::memcpy(out, segment.data + (begin - segment.begin) * width(), size);
      out += size;
      begin = std::min(end, segment.end);
      if (begin < end) ++current_;
    }
    slots_->buffers.push_back(std::move(joined));
    return slots_->buffers.back().data();
  }

  Slots* const slots_;
  BufferPool* const pool_;
  size_t current_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_ROW_FINDER_H_
