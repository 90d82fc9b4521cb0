// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/slots.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/decode/fixed_block.h"
#include "core/decode/variable_block.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

// The rows asked for, within `slots`.
class RowRange {
 public:
  RowRange(const Slots& slots, const ChunkRequest& request)
      : offsets_(slots.offsets),
        begin_(request.begin_row - slots.first_row),
        size_(request.end_row - request.begin_row) {}

  int64_t size() const { return size_; }
  // Row i's first slot; i may be size().
  int64_t Slot(int64_t i) const {
    return offsets_ == nullptr ? begin_ + i : offsets_[begin_ + i];
  }

 private:
  const int64_t* const offsets_;
  const int64_t begin_;
  const int64_t size_;
};

Status CheckListSizes(const RowRange& rows, const ChunkRequest& request) {
  const int64_t expected = request.column->list_size;
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int64_t found = rows.Slot(i + 1) - rows.Slot(i);
    if (found != expected) {
      return Status::Corrupt("row ", request.begin_row + i, " of the row group has ",
                             found, " elements, expected ", expected);
    }
  }
  return {};
}

// Finds rows, in ascending order, in segments.
class RowFinder {
 public:
  RowFinder(Slots* slots, BufferPool* pool) : slots_(slots), pool_(pool) {}

  // Where slots [begin, end) lie side by side. A row that crosses segments is copied.
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

Result<std::unique_ptr<ColumnBlock>> MakeLists(
    Slots slots, const RowRange& rows, const std::shared_ptr<BufferPool>& pool) {
  PooledArray<ByteArray> views(pool);
  ROWFEED_RETURN_NOT_OK(views.Resize(rows.size()));
  RowFinder finder(&slots, pool.get());
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int64_t begin = rows.Slot(i);
    const int64_t size = rows.Slot(i + 1) - begin;
    if (size > std::numeric_limits<uint32_t>::max()) {
      return Status::Unsupported("a list of ", size, " elements");
    }
    const uint8_t* data = nullptr;
    if (slots.indices != nullptr) {
      data = reinterpret_cast<const uint8_t*>(slots.indices + begin);
    } else {
      ROWFEED_ASSIGN_OR_RETURN(data, finder.Find(begin, begin + size));
    }
    views[i] = ByteArray(static_cast<uint32_t>(size), data);
  }
  const ByteArray* data = views.data();
  slots.buffers.push_back(views.Release());
  const int64_t width = slots.format.width;
  if (slots.indices != nullptr) {
    return MakeListDictionaryBlock(rows.size(), width, data, slots.dictionary,
                                   std::move(slots.buffers));
  }
  return MakeViewBlock(rows.size(), width, data, std::move(slots.buffers));
}

}  // namespace

Result<std::unique_ptr<ColumnBlock>> MakeBlock(
    Slots slots, const ChunkRequest& request, const std::shared_ptr<BufferPool>& pool) {
  const RowRange rows(slots, request);
  const int64_t slots_per_row = slots.format.slots_per_row;
  if (slots.format.is_bytes()) return MakeStrings(std::move(slots), rows);
  if (slots_per_row == 0) return MakeLists(std::move(slots), rows, pool);
  if (slots.format.is_list) ROWFEED_RETURN_NOT_OK(CheckListSizes(rows, request));
  return MakeFixed(std::move(slots), rows, slots_per_row, pool);
}

}  // namespace rowfeed
