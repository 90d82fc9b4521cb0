// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/list_blocks.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/decode/blocks/variable_block.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

Result<ByteArray> MakeView(int64_t size, const uint8_t* data) {
  if (size > std::numeric_limits<uint32_t>::max()) {
    return Status::Unsupported("a list of ", size,
                               " elements is not supported; at most ",
                               std::numeric_limits<uint32_t>::max(), " are");
  }
  return ByteArray(static_cast<uint32_t>(size), data);
}

}  // namespace

Result<PooledArray<ByteArray>> ViewRows(Slots* slots, const RowRange& rows,
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

Result<std::unique_ptr<ColumnBlock>> MakeLists(
    Slots slots, const RowRange& rows, const std::shared_ptr<BufferPool>& pool) {
  const bool has_indices = slots.indices != nullptr;
  const int64_t width = slots.format.width;
  const int64_t per_unit = slots.format.slots_per_unit;
  ROWFEED_ASSIGN_OR_RETURN(PooledArray<ByteArray> views, ViewRows(&slots, rows, pool));
  const ByteArray* data = views.data();
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

const ByteArray& StringAt(const Slots& slots, int64_t slot) {
  if (slots.indices != nullptr) {
    const auto* dictionary = reinterpret_cast<const ByteArray*>(slots.dictionary);
    return dictionary[slots.indices[slot]];
  }
  // The slots of strings always lie in one segment.
  return reinterpret_cast<const ByteArray*>(slots.segments[0].data)[slot];
}

Result<std::unique_ptr<ColumnBlock>> MakeStringLengths(
    const Slots& slots, const RowRange& rows, const std::shared_ptr<BufferPool>& pool) {
  const int64_t first = rows.Slot(0);
  PooledArray<int64_t> lengths(pool);
  const int64_t size = rows.Slot(rows.size()) - first;
  ROWFEED_RETURN_NOT_OK(lengths.Resize(size));
  for (int64_t i = 0; i < size; ++i) lengths[i] = StringAt(slots, first + i).len;
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

}  // namespace rowfeed
