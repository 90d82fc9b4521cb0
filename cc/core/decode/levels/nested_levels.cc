// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/levels/nested_levels.h"

#include <algorithm>
#include <utility>

#include "core/decode/levels/null_policy.h"

namespace rowfeed {
NestedLevels::NestedLevels(const ChunkRequest& request,
                           const std::shared_ptr<BufferPool>& pool)
    : max_level_(request.storage->max_definition_level),
      null_rows_are_filled_(request.null_rows_are_filled()),
      null_elements_are_filled_(request.null_elements_are_filled()),
      null_slots_left_(MaxNullSlots(request)),
      wanted_(request.wanted()) {
  const Column& column = *request.source;
  for (const int16_t level : request.storage->slot_definition_levels) {
    const auto fixed =
        static_cast<int64_t>(depths_.size()) - int64_t{column.ragged_rank};
    depths_.push_back({level, fixed < 0 ? 0 : column.list_sizes[fixed]});
    if (depths_.size() > 1) inner_.emplace_back(pool);
  }
}

// Reserves room for all that the entries will append, except for null lists that are
// filled (see Fill).
Status NestedLevels::Reserve(const int16_t* repetition_levels, int64_t num_values,
                             PooledArray<int64_t>* offsets,
                             PooledArray<int16_t>* slot_levels) {
  num_entries_ = num_values;
  const auto count_to = [&](int16_t level) {
    return std::count_if(repetition_levels, repetition_levels + num_values,
                         [&](int16_t found) { return found <= level; });
  };
  const int64_t num_rows = count_to(0);
  ROWFEED_RETURN_NOT_OK(offsets->Reserve(offsets->size() + num_rows));
  ROWFEED_RETURN_NOT_OK(slot_levels->Reserve(slot_levels->size() + num_values));
  for (size_t i = 0; i < inner_.size(); ++i) {
    InnerLists& lists = inner_[i];
    // One list more, for entries that come before the first row.
    const int64_t num_lists = count_to(static_cast<int16_t>(i + 1)) + 1;
    ROWFEED_RETURN_NOT_OK(lists.lengths.Reserve(lists.lengths.size() + num_lists));
    ROWFEED_RETURN_NOT_OK(lists.row_begins.Reserve(lists.row_begins.size() + num_rows));
  }
  return {};
}

Status NestedLevels::Append(const int16_t* repetition_levels,
                            const int16_t* definition_levels, int64_t num_values,
                            int64_t first_row, int64_t slots_before,
                            PooledArray<int64_t>* offsets,
                            PooledArray<int16_t>* slot_levels) {
  ROWFEED_RETURN_NOT_OK(Reserve(repetition_levels, num_values, offsets, slot_levels));
  int64_t row = first_row - 1;
  for (int64_t i = 0; i < num_values; ++i) {
    if (repetition_levels[i] == 0) {
      ++row;
      offsets->Append(slots_before + slot_levels->size());
      for (InnerLists& lists : inner_) lists.row_begins.Append(lists.lengths.size());
    }
    ROWFEED_RETURN_NOT_OK(
        AppendEntry(repetition_levels[i], definition_levels[i], row, slot_levels));
  }
  return {};
}

Status NestedLevels::PassOverRows(int64_t num_rows) {
  int64_t lists_per_row = depths_[0].size;
  for (size_t i = 0; i < inner_.size(); ++i) {
    InnerLists& lists = inner_[i];
    const int64_t size = lists.row_begins.size();
    ROWFEED_RETURN_NOT_OK(lists.row_begins.Resize(size + num_rows));
    for (int64_t row = 0; row < num_rows; ++row) {
      lists.row_begins[size + row] = lists.lengths.size() + row * lists_per_row;
    }
    const int64_t length = depths_[i + 1].size;
    ROWFEED_RETURN_NOT_OK(Fill(length, num_rows * lists_per_row, &lists.lengths));
    lists_per_row *= length;
  }
  return {};
}

// Appends one entry: a value, or the sign that a list is empty or null. The repetition
// level says which list the entry continues; at all greater depths it begins new lists.
Status NestedLevels::AppendEntry(int16_t repetition_level, int16_t level, int64_t row,
                                 PooledArray<int16_t>* slot_levels) {
  // Repetition levels count lists from 1, depths count them from 0.
  const size_t begun = repetition_level;
  for (size_t depth = begun == 0 ? 0 : begun - 1; depth < depths_.size(); ++depth) {
    const bool goes_on = depth < begun;
    if (depth > 0) {
      if (!goes_on) {
        OpenList(depth);
      } else if (!HasOpenList(depth)) {
        return Status::Corrupt("row ", row, " goes on with a list that it lacks");
      }
    }
    const int16_t slot_level = depths_[depth].slot_level;
    if (level < slot_level) {
      if (goes_on) {
        return Status::Corrupt("row ", row, " goes on with a list that is empty");
      }
      if (level == slot_level - 1) return {};
      ROWFEED_RETURN_NOT_OK(CheckNull(
          row, depth == 0 ? null_rows_are_filled_ : null_elements_are_filled_));
      return depths_[depth].size > 0 ? FillNullList(depth, level, slot_levels)
                                     : Status();
    }
    if (depth == 0) continue;
    PooledArray<int64_t>& lengths = inner_[depth - 1].lengths;
    ++lengths[lengths.size() - 1];
  }
  if (level < max_level_)
    ROWFEED_RETURN_NOT_OK(CheckNull(row, null_elements_are_filled_));
  slot_levels->Append(level);
  return {};
}

void NestedLevels::OpenList(size_t depth) { inner_[depth - 1].lengths.Append(0); }

// Whether the current row has begun a list at this depth. If it has not, an entry that
// continues one there would be counted in the row before.
bool NestedLevels::HasOpenList(size_t depth) {
  const InnerLists& lists = inner_[depth - 1];
  const int64_t num_rows = lists.row_begins.size();
  if (num_rows > 0) return lists.lengths.size() > lists.row_begins[num_rows - 1];
  // The page begins with the rest of a row whose beginning was left out. Its lists are
  // counted, but nobody will ask for them.
  if (lists.lengths.size() == 0) OpenList(depth);
  return true;
}

// Fills a null list of a fixed size: all its elements, and those of the lists within
// it, become null.
Status NestedLevels::FillNullList(size_t depth, int16_t level,
                                  PooledArray<int16_t>* slot_levels) {
  int64_t count = depths_[depth].size;
  // IsConsistent has checked that the product of all sizes is small.
  int64_t num_slots = count;
  for (size_t i = depth + 1; i < depths_.size(); ++i) num_slots *= depths_[i].size;
  if (num_slots > null_slots_left_) return NullSlotsError();
  null_slots_left_ -= num_slots;
  if (depth > 0) {
    PooledArray<int64_t>& lengths = inner_[depth - 1].lengths;
    lengths[lengths.size() - 1] = count;
  }
  for (size_t inner = depth + 1; inner < depths_.size(); ++inner) {
    const int64_t size = depths_[inner].size;
    ROWFEED_RETURN_NOT_OK(Fill(size, count, &inner_[inner - 1].lengths));
    count *= size;
  }
  return Fill(level, num_slots, slot_levels);
}

// Appends `value` `count` times, and reserves room for the entries that follow in the
// page.
template <typename T>
Status NestedLevels::Fill(T value, int64_t count, PooledArray<T>* array) const {
  const int64_t size = array->size();
  ROWFEED_RETURN_NOT_OK(array->Reserve(size + count + num_entries_ + 1));
  ROWFEED_RETURN_NOT_OK(array->Resize(size + count));
  std::fill_n(array->data() + size, count, value);
  return {};
}

Status NestedLevels::CheckNull(int64_t row, bool is_filled) const {
  return !is_filled && wanted_.Contains(row) ? NullError(row) : Status();
}

Result<std::vector<InnerLists>> NestedLevels::Finish() {
  for (InnerLists& lists : inner_) {
    ROWFEED_RETURN_NOT_OK(lists.row_begins.Reserve(lists.row_begins.size() + 1));
    lists.row_begins.Append(lists.lengths.size());
  }
  return std::move(inner_);
}

}  // namespace rowfeed
