// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_VALUE_CONVERTER_H_
#define ROWFEED_CORE_DECODE_VALUES_VALUE_CONVERTER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/decode/chunk/chunk_request.h"
#include "core/decode/chunk/slot_format.h"
#include "core/decode/levels/page_levels.h"
#include "core/decode/values/conversion.h"
#include "core/status.h"

namespace rowfeed {

// The row, counted in its row group, that a slot of a page belongs to.
using RowOfSlot = std::function<int64_t(int64_t slot)>;

// Makes slots of the values of a chunk's pages. A value that cannot be converted is an
// error that names its row, if that row is asked for.
class ValueConverter {
 public:
  // The format has a conversion.
  ValueConverter(const ChunkRequest& request, const SlotFormat& format);

  // The present values of a page.
  Status Convert(const uint8_t* values, const PageLevels& levels,
                 const RowOfSlot& row_of_slot, uint8_t* slots) const;

  // The values of a dictionary. Those that cannot be converted are remembered, with
  // their bytes, which must stay as they are until no page is left.
  void ConvertDictionary(const uint8_t* values, int64_t count, uint8_t* slots);
  bool has_refused_entries() const { return !refused_.empty(); }
  // Looks for them among the indices of a page's present values.
  Status CheckIndices(const int32_t* indices, const PageLevels& levels,
                      const RowOfSlot& row_of_slot) const;

 private:
  // Part `part` of a page's present value `position` cannot be converted.
  struct Refused {
    int64_t position;
    const uint8_t* part;
  };
  Status CheckRefused(const std::vector<Refused>& refused, const PageLevels& levels,
                      const RowOfSlot& row_of_slot) const;

  const std::shared_ptr<const Conversion> conversion_;
  const int64_t parts_;  // that are converted one by one: 1 but in fixed-size binaries
  const WantedRows wanted_;
  const int16_t max_level_;
  const uint8_t* dictionary_ = nullptr;
  std::vector<int64_t> refused_;  // parts of the dictionary, ascending
};

// Which of the rows that start at the ascending slots[0], ..., slots[size - 1] has
// `slot`; -1 if it lies before them.
int64_t FindRow(const int64_t* slots, int64_t size, int64_t slot);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_VALUE_CONVERTER_H_
