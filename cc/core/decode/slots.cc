// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/slots.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/decode/fixed_block.h"
#include "core/decode/padded_block.h"
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
  // Row i's first list of some depth; i may be size().
  int64_t List(const InnerLists& lists, int64_t i) const {
    return lists.row_begins[begin_ + i];
  }

 private:
  const int64_t* const offsets_;
  const int64_t begin_;
  const int64_t size_;
};

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

Result<ByteArray> MakeView(int64_t size, const uint8_t* data) {
  if (size > std::numeric_limits<uint32_t>::max()) {
    return Status::Unsupported("a list of ", size, " elements");
  }
  return ByteArray(static_cast<uint32_t>(size), data);
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

// The slots of each row, or the indices of them. `len` counts units.
Result<PooledArray<ByteArray>> ListViews(Slots* slots, const RowRange& rows,
                                         const std::shared_ptr<BufferPool>& pool) {
  PooledArray<ByteArray> views(pool);
  ROWFEED_RETURN_NOT_OK(views.Resize(rows.size()));
  RowFinder finder(slots, pool.get());
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int64_t begin = rows.Slot(i);
    const int64_t end = rows.Slot(i + 1);
    const uint8_t* data = nullptr;
    if (slots->indices != nullptr) {
      data = reinterpret_cast<const uint8_t*>(slots->indices + begin);
    } else {
      ROWFEED_ASSIGN_OR_RETURN(data, finder.Find(begin, end));
    }
    ROWFEED_ASSIGN_OR_RETURN(
        views[i], MakeView((end - begin) / slots->format.slots_per_unit, data));
  }
  return views;
}

// What a row is longer than its padding goes.
Status Truncate(const ChunkRequest& request, int64_t unit_bytes,
                PooledArray<ByteArray>* views) {
  const Padding& padding = *request.padding;
  for (int64_t i = 0; i < views->size(); ++i) {
    ByteArray& row = (*views)[i];
    const int64_t excess = int64_t{row.len} - padding.length;
    if (excess <= 0) continue;
    if (padding.truncate == Padding::Truncate::kNever) {
      return Status::Invalid("row ", request.begin_row + i, " of the row group has ",
                             row.len, " elements, more than the ", padding.length,
                             " that it is padded to, and truncate=False");
    }
    if (padding.truncate == Padding::Truncate::kStart) row.ptr += excess * unit_bytes;
    row.len = static_cast<uint32_t>(padding.length);
  }
  return {};
}

Result<std::unique_ptr<ColumnBlock>> MakeLists(
    Slots slots, const RowRange& rows, const ChunkRequest& request,
    const std::shared_ptr<BufferPool>& pool) {
  const bool has_indices = slots.indices != nullptr;
  const int64_t width = slots.format.width;
  const int64_t per_unit = slots.format.slots_per_unit;
  ROWFEED_ASSIGN_OR_RETURN(PooledArray<ByteArray> views, ListViews(&slots, rows, pool));
  const ByteArray* data = views.data();
  if (request.padding != nullptr) {
    const int64_t stored_bytes = per_unit * (has_indices ? sizeof(int32_t) : width);
    ROWFEED_RETURN_NOT_OK(Truncate(request, stored_bytes, &views));
    slots.buffers.push_back(views.Release());
    return MakePaddedBlock(rows.size(), *request.padding, {width, per_unit}, data,
                           has_indices ? slots.dictionary : nullptr,
                           std::move(slots.buffers));
  }
  slots.buffers.push_back(views.Release());
  if (slots.format.is_bytes()) {
    const auto* dictionary = reinterpret_cast<const ByteArray*>(slots.dictionary);
    return MakeStringListBlock(rows.size(), data, has_indices ? dictionary : nullptr,
                               std::move(slots.buffers));
  }
  if (has_indices) {
    return MakeListDictionaryBlock(rows.size(), {width, per_unit}, data,
                                   slots.dictionary, std::move(slots.buffers));
  }
  return MakeViewBlock(rows.size(), width * per_unit, data, std::move(slots.buffers));
}

// The lengths of the lists at one depth within the lists of rows.
Result<std::unique_ptr<ColumnBlock>> MakeLengths(
    InnerLists lists, const RowRange& rows, const std::shared_ptr<BufferPool>& pool) {
  PooledArray<ByteArray> views(pool);
  ROWFEED_RETURN_NOT_OK(views.Resize(rows.size()));
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int64_t begin = rows.List(lists, i);
    const auto* data = reinterpret_cast<const uint8_t*>(lists.lengths.data() + begin);
    ROWFEED_ASSIGN_OR_RETURN(views[i], MakeView(rows.List(lists, i + 1) - begin, data));
  }
  const ByteArray* data = views.data();
  std::vector<Buffer> buffers;
  buffers.push_back(views.Release());
  buffers.push_back(lists.lengths.Release());
  return MakeViewBlock(rows.size(), sizeof(int64_t), data, std::move(buffers));
}

// The lengths of the strings in lists.
Result<std::unique_ptr<ColumnBlock>> MakeStringLengths(
    const Slots& slots, const RowRange& rows, const std::shared_ptr<BufferPool>& pool) {
  const int64_t first = rows.Slot(0);
  PooledArray<int64_t> lengths(pool);
  const int64_t size = rows.Slot(rows.size()) - first;
  ROWFEED_RETURN_NOT_OK(lengths.Resize(size));
  const auto* dictionary = reinterpret_cast<const ByteArray*>(slots.dictionary);
  const auto* values = slots.segments.empty()
                           ? nullptr
                           : reinterpret_cast<const ByteArray*>(slots.segments[0].data);
  for (int64_t i = 0; i < size; ++i) {
    const ByteArray& string = slots.indices != nullptr
                                  ? dictionary[slots.indices[first + i]]
                                  : values[first + i];
    lengths[i] = string.len;
  }
  PooledArray<ByteArray> views(pool);
  ROWFEED_RETURN_NOT_OK(views.Resize(rows.size()));
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int64_t* data = lengths.data() + (rows.Slot(i) - first);
    ROWFEED_ASSIGN_OR_RETURN(views[i],
                             MakeView(rows.Slot(i + 1) - rows.Slot(i),
                                      reinterpret_cast<const uint8_t*>(data)));
  }
  const ByteArray* data = views.data();
  std::vector<Buffer> buffers;
  buffers.push_back(views.Release());
  buffers.push_back(lengths.Release());
  return MakeViewBlock(rows.size(), sizeof(int64_t), data, std::move(buffers));
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
