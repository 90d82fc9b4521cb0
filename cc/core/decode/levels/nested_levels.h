// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_LEVELS_NESTED_LEVELS_H_
#define ROWFEED_CORE_DECODE_LEVELS_NESTED_LEVELS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/chunk/chunk_request.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// The lists at one depth inside the lists of rows.
struct InnerLists {
  explicit InnerLists(const std::shared_ptr<BufferPool>& pool)
      : lengths(pool), row_begins(pool) {}

  PooledArray<int64_t> lengths;     // number of elements of each list
  PooledArray<int64_t> row_begins;  // for each row, the number of its first list
};

// Reads lists within lists from their levels, as Dremel wrote them (S. Melnik et al.,
// "Dremel: interactive analysis of web-scale datasets", VLDB 2010). Each entry has two
// levels. The repetition level says which list the entry continues; the definition
// level says how many of the lists and values around it are present.
class NestedLevels {
 public:
  NestedLevels(const ChunkRequest& request, const std::shared_ptr<BufferPool>& pool);

  // Reads the levels of a page, or of a part of it. The first row that starts in it is
  // row `first_row` of the row group. Appends to `offsets` the first slot of each row,
  // and to `slot_levels` one definition level per slot. Earlier pages had
  // `slots_before` slots.
  Status Append(const int16_t* repetition_levels, const int16_t* definition_levels,
                int64_t num_values, int64_t first_row, int64_t slots_before,
                PooledArray<int64_t>* offsets, PooledArray<int16_t>* slot_levels);

  // Adds `num_rows` rows that nobody wants. Their lists count as full where the column
  // has fixed sizes, and as empty elsewhere.
  Status PassOverRows(int64_t num_rows);

  // Call once, after the last page. Returns one entry for each depth below the lists of
  // rows. Its row_begins has one item more than there are rows.
  Result<std::vector<InnerLists>> Finish();

 private:
  struct Depth {
    int16_t slot_level;
    int64_t size;  // fixed number of elements of a list; 0: any
  };

  Status AppendEntry(int16_t repetition_level, int16_t definition_level, int64_t row,
                     PooledArray<int16_t>* slot_levels);
  Status Reserve(const int16_t* repetition_levels, int64_t num_values,
                 PooledArray<int64_t>* offsets, PooledArray<int16_t>* slot_levels);
  void OpenList(size_t depth);
  bool HasOpenList(size_t depth);
  Status FillNullList(size_t depth, int16_t level, PooledArray<int16_t>* slot_levels);
  template <typename T>
  Status Fill(T value, int64_t count, PooledArray<T>* array) const;
  Status CheckNull(int64_t row, bool is_filled) const;

  std::vector<Depth> depths_;  // one entry per depth, the lists of rows first
  const int16_t max_level_;
  const bool null_rows_are_filled_;
  const bool null_elements_are_filled_;
  int64_t null_slots_left_;
  int64_t num_entries_ = 0;  // number of entries in the current page
  const WantedRows wanted_;
  std::vector<InnerLists> inner_;  // inner_[i] has the lists at depth i + 1
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_NESTED_LEVELS_H_
