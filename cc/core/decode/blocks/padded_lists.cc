// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/blocks/padded_lists.h"

#include <utility>

#include "core/decode/blocks/list_blocks.h"

namespace rowfeed {
namespace {

Status TooLong(const ChunkRequest& request, int64_t row, int64_t size, int64_t length,
               const char* items) {
  return Status::Invalid("row ", request.begin_row + row, " of the row group has ",
                         size, items, ", more than the ", length,
                         " that it is padded to, and truncate=False");
}

}  // namespace

Result<std::shared_ptr<const PaddedLists>> PaddedLists::Make(
    Slots* slots, const RowRange& rows, const ChunkRequest& request,
    const std::shared_ptr<BufferPool>& pool) {
  std::shared_ptr<PaddedLists> lists(
      new PaddedLists(*request.padding, request.source->ragged_rank));
  lists->first_row_ = rows.begin();
  for (size_t level = 0; level < lists->num_lists_; ++level) {
    PooledArray<int64_t>& begins = lists->levels_.emplace_back(pool).begins;
    if (level > 0) {
      InnerLists& inner = slots->inner_lists[level - 1];
      ROWFEED_RETURN_NOT_OK(begins.Resize(inner.lengths.size() + 1));
      begins[0] = 0;
      for (int64_t i = 0; i < inner.lengths.size(); ++i) {
        begins[i + 1] = begins[i] + inner.lengths[i];
      }
      lists->row_begins_.push_back(std::move(inner.row_begins));
      continue;
    }
    ROWFEED_RETURN_NOT_OK(begins.Resize(rows.size() + 1));
    for (int64_t i = 0; i <= rows.size(); ++i) {
      begins[i] = lists->num_lists_ > 1
                      ? rows.List(slots->inner_lists[0], i)
                      : (rows.Slot(i) - rows.Slot(0)) / slots->format.slots_per_unit;
    }
  }
  if (request.padding->truncate == Padding::Truncate::kNever) {
    ROWFEED_RETURN_NOT_OK(lists->CheckLengths(*slots, rows, request));
  }
  return std::shared_ptr<const PaddedLists>(std::move(lists));
}

Status PaddedLists::CheckLengths(const Slots& slots, const RowRange& rows,
                                 const ChunkRequest& request) const {
  const WantedRows wanted = request.wanted();
  for (int64_t row = 0; row < rows.size(); ++row) {
    if (!wanted.Contains(request.begin_row + row)) continue;
    for (size_t level = 0; level < num_lists_; ++level) {
      const int64_t begin = level == 0 ? row : RowBegin(row, level);
      const int64_t end = level == 0 ? row + 1 : RowBegin(row + 1, level);
      const PooledArray<int64_t>& begins = levels_[level].begins;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t size = begins[i + 1] - begins[i];
        if (size <= lengths_[level]) continue;
        return TooLong(request, row, size, lengths_[level],
                       level == 0 ? " elements" : " elements in a list");
      }
    }
    if (num_lists_ == num_levels()) continue;
    for (int64_t slot = rows.Slot(row); slot < rows.Slot(row + 1); ++slot) {
      const int64_t size = StringAt(slots, slot).len;
      if (size <= lengths_.back()) continue;
      return TooLong(request, row, size, lengths_.back(), " bytes in a string");
    }
  }
  return {};
}

}  // namespace rowfeed
