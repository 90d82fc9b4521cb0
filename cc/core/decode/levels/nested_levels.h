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

// The lists at one depth within the lists of rows.
struct InnerLists {
  explicit InnerLists(const std::shared_ptr<BufferPool>& pool)
      : lengths(pool), row_begins(pool) {}

  PooledArray<int64_t> lengths;     // of each, in elements
  PooledArray<int64_t> row_begins;  // per row: its first list
};

// Reads lists within lists from their levels, as Dremel wrote them (S. Melnik et al.,
// "Dremel: interactive analysis of web-scale datasets", VLDB 2010): a repetition level
// says which list goes on, a definition level how much of what follows is there.
class NestedLevels {
 public:
  NestedLevels(const ChunkRequest& request, const std::shared_ptr<BufferPool>& pool);

  // A page, or a part of it. The first row that starts in it is `first_row`. Appends to
  // `offsets` the first slot of each row, and to `slot_levels` one definition level per
  // slot, `slots_before` having come in earlier pages.
  Status Append(const int16_t* repetition_levels, const int16_t* definition_levels,
                int64_t num_values, int64_t first_row, int64_t slots_before,
                PooledArray<int64_t>* offsets, PooledArray<int16_t>* slot_levels);

  // The lists of rows that nobody will look at: those of fixed sizes are full.
  Status PassOverRows(int64_t num_rows);

  // One for each depth below the lists of rows, once; row_begins has one more than
  // there are rows.
  Result<std::vector<InnerLists>> Finish();

 private:
  struct Depth {
    int16_t slot_level;
    int64_t size;  // of every list; 0: any
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

  std::vector<Depth> depths_;  // from the lists of rows inwards
  const int16_t max_level_;
  const bool null_rows_are_filled_;
  const bool null_elements_are_filled_;
  int64_t null_slots_left_;
  int64_t num_entries_ = 0;  // of the page at hand
  const WantedRows wanted_;
  std::vector<InnerLists> inner_;  // [0] is depth 1
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_LEVELS_NESTED_LEVELS_H_
