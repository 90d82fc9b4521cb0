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

// Reads the levels of a chunk's pages, page by page: says which values are null,
// applies the null policy of the request, and finds out where the rows of a list column
// start.
class LevelReader {
 public:
  LevelReader(const ChunkRequest& request, const std::shared_ptr<BufferPool>& pool);

  // Reads the levels of a page of a column without lists. The page's first row is row
  // `first_row` of the row group.
  Result<PageLevels> ReadFlat(const PageBody& body, int64_t num_values,
                              int64_t first_row);

  // The levels of a page of lists are read in two steps, as a caller that skips rows
  // needs only the first. Step 1: decodes the repetition levels into starts(), and
  // returns how many rows start in the page.
  Result<int64_t> CountRows(const PageBody& body, int64_t num_values);
  // Step 2: reads the definition levels and returns the slots of the page. The first
  // row that starts in the page is row `first_row` of the row group; earlier pages had
  // `slots_before` slots. Appends the first slot of each row to offsets().
  Result<PageLevels> ReadLists(const PageBody& body, int64_t num_values,
                               int64_t first_row, int64_t slots_before);

  // Replaces both steps for a page that is left out, as nobody wants its rows: counts
  // them as lists of `slots_per_row` slots.
  Status PassOverRows(int64_t num_rows, int64_t slots_per_row, int64_t slots_before);

  // The three functions below do the work of ReadFlat, CountRows and ReadLists for
  // levels that are decoded already.
  Result<PageLevels> FlatFromLevels(const int16_t* definition_levels,
                                    int64_t num_values, int64_t first_row) const;
  Status StartsFromLevels(const int16_t* repetition_levels, int64_t num_values);
  Result<PageLevels> ListsFromLevels(const int16_t* definition_levels,
                                     int64_t num_values, int64_t first_row,
                                     int64_t slots_before);

  // Positions in the page's levels at which rows start.
  const PooledArray<int32_t>& starts() const { return starts_; }
  // The first slot of each row that started in the pages read so far.
  PooledArray<int64_t>& offsets() { return offsets_; }
  // Call after the last page. Returns one byte per row, 0 for a null row, if the
  // request asks for a mask of rows; else an empty buffer.
  Buffer ReleaseRowMask() { return row_mask_.Release(); }
  // Call after the last page. Returns the lists within the lists of rows, one entry per
  // depth; empty if there are none.
  Result<std::vector<InnerLists>> FinishInnerLists();

 private:
  Status ReserveSlots(const int16_t* definition_levels, int64_t num_values);
  Status AppendRow(const int16_t* levels, int64_t size, int64_t row);
  // Extends the mask by the rows that start in the page. If definition_levels is
  // nullptr, none of them is null.
  Status AppendRowMask(const int16_t* definition_levels);

  Result<PageLevels> NestedFromLevels(const int16_t* definition_levels,
                                      int64_t num_values, int64_t first_row,
                                      int64_t slots_before);
  Result<PageLevels> SlotsOfPage();
  bool is_nested() const { return storage_.max_repetition_level() > 1; }

  const ColumnStorage storage_;
  const int64_t null_list_size_;  // slots of a null list; 0 if not fixed, or nested
  const bool null_rows_are_filled_;
  const bool null_elements_are_filled_;
  const bool masks_rows_;
  int64_t null_slots_left_;  // null slots that later pages may still have
  const WantedRows wanted_;
  PooledArray<int16_t> levels_;
  // Levels of the page; only for lists within lists.
  PooledArray<int16_t> repetition_levels_;
  PooledArray<int16_t> slot_levels_;
  PooledArray<int32_t> starts_;
  PooledArray<int64_t> offsets_;
  PooledArray<uint8_t> row_mask_;
  NestedLevels nested_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_LEVEL_READER_H_
