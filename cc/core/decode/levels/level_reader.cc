// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/levels/level_reader.h"

#include <algorithm>

#include "core/decode/levels/null_policy.h"
#include "core/decode/pages/level_runs.h"

namespace rowfeed {

LevelReader::LevelReader(const ChunkRequest& request,
                         const std::shared_ptr<BufferPool>& pool)
    : storage_(*request.storage),
      null_list_size_(
          request.source->list_sizes.size() == 1 ? request.source->list_sizes[0] : 0),
      null_rows_are_filled_(request.null_rows_are_filled()),
      null_elements_are_filled_(request.null_elements_are_filled()),
      masks_rows_(request.masks_rows()),
      null_slots_left_(MaxNullSlots(request)),
      wanted_(request.wanted()),
      levels_(pool),
      repetition_levels_(pool),
      slot_levels_(pool),
      starts_(pool),
      offsets_(pool),
      row_mask_(pool),
      nested_(request, pool) {}

Result<PageLevels> LevelReader::ReadFlat(const PageBody& body, int64_t num_values,
                                         int64_t first_row) {
  const int16_t max_level = storage_.max_definition_level;
  if (max_level == 0 ||
      AllLevelsAre(max_level, max_level, body.definition_levels, num_values)) {
    return PageLevels{num_values, num_values, nullptr};
  }
  ROWFEED_RETURN_NOT_OK(levels_.Resize(num_values));
  ROWFEED_RETURN_NOT_OK(
      DecodeLevels(max_level, body.definition_levels, num_values, levels_.data()));
  return FlatFromLevels(levels_.data(), num_values, first_row);
}

Result<PageLevels> LevelReader::FlatFromLevels(const int16_t* levels,
                                               int64_t num_values,
                                               int64_t first_row) const {
  const int16_t max_level = storage_.max_definition_level;
  const int64_t num_present = std::count(levels, levels + num_values, max_level);
  if (num_present == num_values) return PageLevels{num_values, num_values, nullptr};
  if (!null_elements_are_filled_) {
    const int64_t null =
        wanted_.Find(first_row, first_row + num_values,
                     [&](int64_t row) { return levels[row - first_row] != max_level; });
    if (null >= 0) return NullError(null);
  }
  return PageLevels{num_values, num_present, levels};
}

Result<int64_t> LevelReader::CountRows(const PageBody& body, int64_t num_values) {
  if (is_nested()) {
    ROWFEED_RETURN_NOT_OK(repetition_levels_.Resize(num_values));
    ROWFEED_RETURN_NOT_OK(DecodeLevels(storage_.max_repetition_level(),
                                       body.repetition_levels, num_values,
                                       repetition_levels_.data()));
    ROWFEED_RETURN_NOT_OK(StartsFromLevels(repetition_levels_.data(), num_values));
    return starts_.size();
  }
  starts_.Clear();
  ROWFEED_RETURN_NOT_OK(AppendRowStarts(body.repetition_levels, num_values, &starts_));
  return starts_.size();
}

Status LevelReader::StartsFromLevels(const int16_t* repetition_levels,
                                     int64_t num_values) {
  starts_.Clear();
  ROWFEED_RETURN_NOT_OK(starts_.Reserve(num_values));
  for (int64_t i = 0; i < num_values; ++i) {
    if (repetition_levels[i] == 0) starts_.Append(static_cast<int32_t>(i));
  }
  if (is_nested() && repetition_levels != repetition_levels_.data()) {
    ROWFEED_RETURN_NOT_OK(repetition_levels_.Resize(num_values));
    std::copy_n(repetition_levels, num_values, repetition_levels_.data());
  }
  return {};
}

Result<PageLevels> LevelReader::ReadLists(const PageBody& body, int64_t num_values,
                                          int64_t first_row, int64_t slots_before) {
  const int16_t max_level = storage_.max_definition_level;
  if (!is_nested() &&
      AllLevelsAre(max_level, max_level, body.definition_levels, num_values)) {
    ROWFEED_RETURN_NOT_OK(offsets_.Reserve(offsets_.size() + starts_.size()));
    ROWFEED_RETURN_NOT_OK(AppendRowMask(nullptr));
    for (int64_t i = 0; i < starts_.size(); ++i) {
      offsets_.Append(slots_before + starts_[i]);
    }
    return PageLevels{num_values, num_values, nullptr};
  }
  ROWFEED_RETURN_NOT_OK(levels_.Resize(num_values));
  ROWFEED_RETURN_NOT_OK(
      DecodeLevels(max_level, body.definition_levels, num_values, levels_.data()));
  return ListsFromLevels(levels_.data(), num_values, first_row, slots_before);
}

Status LevelReader::PassOverRows(int64_t num_rows, int64_t slots_per_row,
                                 int64_t slots_before) {
  if (masks_rows_) {
    const int64_t size = row_mask_.size();
    ROWFEED_RETURN_NOT_OK(row_mask_.Resize(size + num_rows));
    std::fill_n(row_mask_.data() + size, num_rows, uint8_t{1});
  }
  ROWFEED_RETURN_NOT_OK(offsets_.Reserve(offsets_.size() + num_rows));
  for (int64_t i = 0; i < num_rows; ++i) {
    offsets_.Append(slots_before + i * slots_per_row);
  }
  return is_nested() ? nested_.PassOverRows(num_rows) : Status();
}

Status LevelReader::ReserveSlots(const int16_t* levels, int64_t num_values) {
  const int empty_level = storage_.slot_definition_level() - 1;
  const int64_t num_null_lists = std::count_if(
      levels, levels + num_values, [&](int16_t level) { return level < empty_level; });
  if (null_list_size_ > 0 && num_null_lists > null_slots_left_ / null_list_size_) {
    return NullSlotsError();
  }
  slot_levels_.Clear();
  ROWFEED_RETURN_NOT_OK(
      slot_levels_.Reserve(num_null_lists * null_list_size_ + num_values));
  return offsets_.Reserve(offsets_.size() + starts_.size());
}

// Appends the slots of one row, as far as it lies in the page. `levels` are the
// definition levels of its elements, or a single one that says that the list is empty
// or null.
Status LevelReader::AppendRow(const int16_t* levels, int64_t size, int64_t row) {
  const int16_t max_level = storage_.max_definition_level;
  const int16_t slot_level = storage_.slot_definition_level();
  const auto is_wanted = [&] { return wanted_.Contains(row); };
  int16_t* slots = slot_levels_.data() + slot_levels_.size();
  if (levels[0] >= slot_level) {
    std::copy_n(levels, size, slots);
    if (!null_elements_are_filled_ &&
        std::count(levels, levels + size, max_level) != size && is_wanted()) {
      return NullError(row);
    }
    return slot_levels_.Resize(slot_levels_.size() + size);
  }
  if (size != 1) return Status::Corrupt("row ", row, " is empty but has elements");
  if (levels[0] == slot_level - 1) return {};
  if (!null_rows_are_filled_ && is_wanted()) return NullError(row);
  std::fill_n(slots, null_list_size_, levels[0]);
  return slot_levels_.Resize(slot_levels_.size() + null_list_size_);
}

Result<PageLevels> LevelReader::ListsFromLevels(const int16_t* levels,
                                                int64_t num_values, int64_t first_row,
                                                int64_t slots_before) {
  ROWFEED_RETURN_NOT_OK(AppendRowMask(levels));
  if (is_nested()) return NestedFromLevels(levels, num_values, first_row, slots_before);
  ROWFEED_RETURN_NOT_OK(ReserveSlots(levels, num_values));
  int64_t begin = 0;
  for (int64_t i = 0; i <= starts_.size(); ++i) {
    // Levels before the first start belong to a row that an earlier page began.
    const int64_t end = i < starts_.size() ? starts_[i] : num_values;
    if (end > begin) {
      ROWFEED_RETURN_NOT_OK(AppendRow(levels + begin, end - begin, first_row + i - 1));
    }
    if (i < starts_.size()) offsets_.Append(slots_before + slot_levels_.size());
    begin = end;
  }
  return SlotsOfPage();
}

Result<PageLevels> LevelReader::NestedFromLevels(const int16_t* levels,
                                                 int64_t num_values, int64_t first_row,
                                                 int64_t slots_before) {
  slot_levels_.Clear();
  ROWFEED_RETURN_NOT_OK(nested_.Append(repetition_levels_.data(), levels, num_values,
                                       first_row, slots_before, &offsets_,
                                       &slot_levels_));
  return SlotsOfPage();
}

Result<PageLevels> LevelReader::SlotsOfPage() {
  const int64_t num_slots = slot_levels_.size();
  const int16_t* slots = slot_levels_.data();
  const int64_t num_present =
      std::count(slots, slots + num_slots, storage_.max_definition_level);
  null_slots_left_ -= num_slots - num_present;
  if (null_slots_left_ < 0) return NullSlotsError();
  return PageLevels{num_slots, num_present, num_present == num_slots ? nullptr : slots};
}

Status LevelReader::AppendRowMask(const int16_t* levels) {
  if (!masks_rows_) return {};
  const int64_t size = row_mask_.size();
  ROWFEED_RETURN_NOT_OK(row_mask_.Resize(size + starts_.size()));
  const int empty_level = storage_.slot_definition_levels[0] - 1;
  for (int64_t i = 0; i < starts_.size(); ++i) {
    row_mask_[size + i] =
        levels == nullptr || levels[starts_[i]] >= empty_level ? 1 : 0;
  }
  return {};
}

Result<std::vector<InnerLists>> LevelReader::FinishInnerLists() {
  if (!is_nested()) return std::vector<InnerLists>();
  return nested_.Finish();
}

}  // namespace rowfeed
