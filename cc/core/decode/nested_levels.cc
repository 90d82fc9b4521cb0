// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/nested_levels.h"

#include <utility>

#include "core/decode/level_reader.h"

namespace rowfeed {
namespace {

template <typename T>
Status Push(T value, PooledArray<T>* array) {
  ROWFEED_RETURN_NOT_OK(array->Reserve(array->size() + 1));
  array->Append(value);
  return {};
}

}  // namespace

NestedLevels::NestedLevels(const ChunkRequest& request,
                           const std::shared_ptr<BufferPool>& pool)
    : max_level_(request.storage->max_definition_level),
      nulls_are_filled_(request.nulls_are_filled()),
      begin_row_(request.begin_row),
      end_row_(request.end_row) {
  const Column& column = *request.source;
  for (const int16_t level : request.storage->slot_definition_levels) {
    const auto fixed =
        static_cast<int64_t>(depths_.size()) - int64_t{column.ragged_rank};
    depths_.push_back({level, fixed < 0 ? 0 : column.list_sizes[fixed]});
    if (depths_.size() > 1) inner_.emplace_back(pool);
  }
}

Status NestedLevels::Append(const int16_t* repetition_levels,
                            const int16_t* definition_levels, int64_t num_values,
                            int64_t first_row, int64_t slots_before,
                            PooledArray<int64_t>* offsets,
                            PooledArray<int16_t>* slot_levels) {
  int64_t row = first_row - 1;
  for (int64_t i = 0; i < num_values; ++i) {
    if (repetition_levels[i] == 0) {
      ++row;
      ROWFEED_RETURN_NOT_OK(Push(slots_before + slot_levels->size(), offsets));
      for (InnerLists& lists : inner_) {
        ROWFEED_RETURN_NOT_OK(Push(lists.lengths.size(), &lists.row_begins));
      }
    }
    ROWFEED_RETURN_NOT_OK(
        AppendEntry(repetition_levels[i], definition_levels[i], row, slot_levels));
  }
  return {};
}

// A value, or what stands for a list without any: it goes on with the list that its
// repetition level says, and begins the lists within.
Status NestedLevels::AppendEntry(int16_t repetition_level, int16_t level, int64_t row,
                                 PooledArray<int16_t>* slot_levels) {
  // A repetition level counts lists from 1, a depth from 0.
  const size_t begun = repetition_level;
  for (size_t depth = begun == 0 ? 0 : begun - 1; depth < depths_.size(); ++depth) {
    const bool goes_on = depth < begun;
    if (!goes_on && depth > 0) ROWFEED_RETURN_NOT_OK(OpenList(depth));
    const int16_t slot_level = depths_[depth].slot_level;
    if (level < slot_level) {
      if (goes_on) {
        return Status::Corrupt("row ", row, " goes on with a list that is empty");
      }
      if (level == slot_level - 1) return {};
      ROWFEED_RETURN_NOT_OK(CheckNull(row));
      return depths_[depth].size > 0 ? FillNullList(depth, level, slot_levels)
                                     : Status();
    }
    if (depth == 0) continue;
    PooledArray<int64_t>& lengths = inner_[depth - 1].lengths;
    // The rest of a row whose beginning was left out: lists that nobody will ask for.
    if (lengths.size() == 0) ROWFEED_RETURN_NOT_OK(OpenList(depth));
    ++lengths[lengths.size() - 1];
  }
  if (level < max_level_) ROWFEED_RETURN_NOT_OK(CheckNull(row));
  return Push(level, slot_levels);
}

Status NestedLevels::OpenList(size_t depth) {
  return Push(int64_t{0}, &inner_[depth - 1].lengths);
}

// A null list of a fixed size has all its elements, and theirs, null.
Status NestedLevels::FillNullList(size_t depth, int16_t level,
                                  PooledArray<int16_t>* slot_levels) {
  int64_t count = depths_[depth].size;
  if (depth > 0) {
    PooledArray<int64_t>& lengths = inner_[depth - 1].lengths;
    lengths[lengths.size() - 1] = count;
  }
  for (size_t inner = depth + 1; inner < depths_.size(); ++inner) {
    const int64_t size = depths_[inner].size;
    for (int64_t i = 0; i < count; ++i) {
      ROWFEED_RETURN_NOT_OK(Push(size, &inner_[inner - 1].lengths));
    }
    count *= size;
  }
  for (int64_t i = 0; i < count; ++i) {
    ROWFEED_RETURN_NOT_OK(Push(level, slot_levels));
  }
  return {};
}

Status NestedLevels::CheckNull(int64_t row) const {
  const bool is_wanted = row >= begin_row_ && row < end_row_;
  return is_wanted && !nulls_are_filled_ ? NullError(row) : Status();
}

Result<std::vector<InnerLists>> NestedLevels::Finish() {
  for (InnerLists& lists : inner_) {
    ROWFEED_RETURN_NOT_OK(Push(lists.lengths.size(), &lists.row_begins));
  }
  return std::move(inner_);
}

}  // namespace rowfeed
