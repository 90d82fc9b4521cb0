// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/value_converter.h"

#include <algorithm>

namespace rowfeed {

ValueConverter::ValueConverter(const ChunkRequest& request, const SlotFormat& format)
    : conversion_(format.conversion),
      parts_(format.value_width / format.conversion->value_bytes()),
      wanted_(request.wanted()),
      max_level_(request.storage->max_definition_level) {}

Status ValueConverter::Convert(const uint8_t* values, const PageLevels& levels,
                               const RowOfSlot& row_of_slot, uint8_t* slots) const {
  std::vector<Refused> refused;
  for (const int64_t part :
       ConvertAll(*conversion_, values, levels.num_present * parts_, slots)) {
    refused.push_back({part / parts_, values + part * conversion_->value_bytes()});
  }
  return CheckRefused(refused, levels, row_of_slot);
}

void ValueConverter::ConvertDictionary(const uint8_t* values, int64_t count,
                                       uint8_t* slots) {
  refused_ = ConvertAll(*conversion_, values, count * parts_, slots);
  dictionary_ = values;
}

Status ValueConverter::CheckIndices(const int32_t* indices, const PageLevels& levels,
                                    const RowOfSlot& row_of_slot) const {
  if (refused_.empty()) return {};
  std::vector<Refused> refused;
  for (int64_t i = 0; i < levels.num_present; ++i) {
    const int64_t first_part = indices[i] * parts_;
    const auto part = std::lower_bound(refused_.begin(), refused_.end(), first_part);
    if (part != refused_.end() && *part < first_part + parts_) {
      refused.push_back({i, dictionary_ + *part * conversion_->value_bytes()});
    }
  }
  return CheckRefused(refused, levels, row_of_slot);
}

Status ValueConverter::CheckRefused(const std::vector<Refused>& refused,
                                    const PageLevels& levels,
                                    const RowOfSlot& row_of_slot) const {
  int64_t slot = -1;
  int64_t num_present = 0;  // number of present values up to `slot`, inclusive
  for (const auto& [position, part] : refused) {
    while (num_present <= position) {
      ++slot;
      num_present +=
          levels.slot_levels == nullptr || levels.slot_levels[slot] == max_level_;
    }
    const int64_t row = row_of_slot(slot);
    if (wanted_.Contains(row)) {
      return Status::Invalid("row ", row,
                             " of the row group: ", conversion_->Refusal(part));
    }
  }
  return {};
}

int64_t FindRow(const int64_t* slots, int64_t size, int64_t slot) {
  return std::upper_bound(slots, slots + size, slot) - slots - 1;
}

}  // namespace rowfeed
