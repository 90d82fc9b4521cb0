// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LEVELS_LEVEL_READER_H_
#define ROWFEED_CORE_DECODE_LEVELS_LEVEL_READER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/chunk/chunk_request.h"
#include "core/decode/levels/nested_levels.h"
#include "core/decode/levels/page_levels.h"
#include "core/decode/pages/page_opener.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// Reads the levels of a chunk's pages in order, applies the null policy of the request,
// and finds out where the rows of a list column start.
class LevelReader {
 public:
  LevelReader(const ChunkRequest& request, const std::shared_ptr<BufferPool>& pool);

  // A page of a column without lists, whose first row is `first_row` of the row group.
  Result<PageLevels> ReadFlat(const PageBody& body, int64_t num_values,
                              int64_t first_row);

  // A page of lists, in two steps, as a caller who skips rows needs only the first: how
  // many rows start in the page, ...
  Result<int64_t> CountRows(const PageBody& body, int64_t num_values);
  // ... and its slots. The first row that starts in the page is `first_row`; there are
  // `slots_before` slots already. Appends to offsets().
  Result<PageLevels> ReadLists(const PageBody& body, int64_t num_values,
                               int64_t first_row, int64_t slots_before);

  // Instead of both, for rows that nobody will look at: lists of `slots_per_row` slots.
  Status PassOverRows(int64_t num_rows, int64_t slots_per_row, int64_t slots_before);

  // The same from levels that are decoded already.
  Result<PageLevels> FlatFromLevels(const int16_t* definition_levels,
                                    int64_t num_values, int64_t first_row) const;
  Status StartsFromLevels(const int16_t* repetition_levels, int64_t num_values);
  Result<PageLevels> ListsFromLevels(const int16_t* definition_levels,
                                     int64_t num_values, int64_t first_row,
                                     int64_t slots_before);

  // Where the rows of the page start, as positions of its levels.
  const PooledArray<int32_t>& starts() const { return starts_; }
  // Per row started: its first slot.
  PooledArray<int64_t>& offsets() { return offsets_; }
  // Of all pages, at the end: which rows are no nulls, if the request asks for it, else
  // nothing; ...
  Buffer ReleaseRowMask() { return row_mask_.Release(); }
  // ... and the lists within lists; empty without.
  Result<std::vector<InnerLists>> FinishInnerLists();

 private:
  Status ReserveSlots(const int16_t* definition_levels, int64_t num_values);
  Status AppendRow(const int16_t* levels, int64_t size, int64_t row);
  // Of the rows that start in the page; without levels none is null.
  Status AppendRowMask(const int16_t* definition_levels);

  Result<PageLevels> NestedFromLevels(const int16_t* definition_levels,
                                      int64_t num_values, int64_t first_row,
                                      int64_t slots_before);
  Result<PageLevels> SlotsOfPage();
  bool is_nested() const { return storage_.max_repetition_level() > 1; }

  const ColumnStorage storage_;
  const int64_t null_list_size_;  // slots that stand for a null list
  const bool null_rows_are_filled_;
  const bool null_elements_are_filled_;
  const bool masks_rows_;
  int64_t null_slots_left_;  // in pages to come
  const WantedRows wanted_;
  PooledArray<int16_t> levels_;
  PooledArray<int16_t> repetition_levels_;  // of lists within lists
  PooledArray<int16_t> slot_levels_;
  PooledArray<int32_t> starts_;
  PooledArray<int64_t> offsets_;
  PooledArray<uint8_t> row_mask_;
  NestedLevels nested_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_LEVEL_READER_H_
