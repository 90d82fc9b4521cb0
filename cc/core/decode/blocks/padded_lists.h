// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_PADDED_LISTS_H_
#define ROWFEED_CORE_DECODE_BLOCKS_PADDED_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/blocks/row_finder.h"
#include "core/decode/blocks/slots.h"
#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/padding.h"
#include "core/io/buffer_pool.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// Knows where the lists of rows that are padded begin and end, and which of their items
// are kept. A row is a list at level 0; its items, numbered within the row, are the
// lists at level 1, and so on. If the innermost items are strings, their bytes are one
// more level.
class PaddedLists {
 public:
  struct Range {
    int64_t begin;
    int64_t end;
    int64_t size() const { return end - begin; }
  };

  // Takes slots->inner_lists over, and copies the offsets of rows. Returns kInvalid if
  // a list of a wanted row is too long and padding does not allow to truncate it.
  static Result<std::shared_ptr<const PaddedLists>> Make(
      Slots* slots, const RowRange& rows, const ChunkRequest& request,
      const std::shared_ptr<BufferPool>& pool);

  size_t num_levels() const { return lengths_.size(); }
  // Number of levels without that of the bytes of strings.
  size_t num_lists() const { return num_lists_; }
  int64_t length(size_t level) const { return lengths_[level]; }

  // Returns the items of list `list` at `level`. List and items are both numbered
  // within the row.
  Range Items(int64_t row, size_t level, int64_t list) const {
    const Level& lists = levels_[level];
    const int64_t first = level == 0 ? row : RowBegin(row, level);
    const int64_t* begins = lists.begins.data() + first;
    return {begins[list] - begins[0], begins[list + 1] - begins[0]};
  }

  // Returns the items that are kept: those that fit in the padded length of the level.
  Range Kept(size_t level, Range items) const {
    const int64_t excess = items.size() - lengths_[level];
    if (excess <= 0) return items;
    return keeps_start_ ? Range{items.begin, items.end - excess}
                        : Range{items.begin + excess, items.end};
  }

 private:
  // All lists at one level: where the items of each begin, and at the end where the
  // last one ends.
  struct Level {
    explicit Level(const std::shared_ptr<BufferPool>& pool) : begins(pool) {}
    PooledArray<int64_t> begins;
  };

  PaddedLists(const Padding& padding, size_t num_lists)
      : lengths_(padding.lengths),
        keeps_start_(padding.truncate == Padding::Truncate::kEnd),
        num_lists_(num_lists) {}

  // Returns the number of the first list of a row at `level`, counted over all rows.
  int64_t RowBegin(int64_t row, size_t level) const {
    return row_begins_[level - 1][first_row_ + row];
  }
  Status CheckLengths(const Slots& slots, const RowRange& rows,
                      const ChunkRequest& request) const;

  const std::vector<int64_t> lengths_;
  const bool keeps_start_;
  const size_t num_lists_;
  int64_t first_row_ = 0;
  std::vector<Level> levels_;
  // row_begins_[level - 1] has the first list of each row at that level.
  std::vector<PooledArray<int64_t>> row_begins_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_PADDED_LISTS_H_
