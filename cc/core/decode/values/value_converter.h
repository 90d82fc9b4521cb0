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

// Says which row, counted in its row group, a slot of the current page belongs to.
using RowOfSlot = std::function<int64_t(int64_t slot)>;

// Converts the decoded values of a chunk's pages into slots. A value that cannot be
// converted is an error that names its row, but only if the request wants that row.
class ValueConverter {
 public:
  // format.conversion must not be nullptr.
  ValueConverter(const ChunkRequest& request, const SlotFormat& format);

  // Converts the values that are stored in a page, without nulls.
  Status Convert(const uint8_t* values, const PageLevels& levels,
                 const RowOfSlot& row_of_slot, uint8_t* slots) const;

  // Converts the values of a dictionary. Values that cannot be converted are remembered
  // for CheckIndices. `values` must stay in memory until the last page is done.
  void ConvertDictionary(const uint8_t* values, int64_t count, uint8_t* slots);
  bool has_refused_entries() const { return !refused_.empty(); }
  // Returns an error if one of the indices of a page's present values, in a wanted row,
  // refers to a dictionary value that could not be converted.
  Status CheckIndices(const int32_t* indices, const PageLevels& levels,
                      const RowOfSlot& row_of_slot) const;

 private:
  // A value that could not be converted: number `position` among the page's present
  // values, and the bytes of the refused part of it.
  struct Refused {
    int64_t position;
    const uint8_t* part;
  };
  Status CheckRefused(const std::vector<Refused>& refused, const PageLevels& levels,
                      const RowOfSlot& row_of_slot) const;

  const std::shared_ptr<const Conversion> conversion_;
  // Number of parts of a value that are converted one by one: the elements of a
  // fixed-size binary, else 1.
  const int64_t parts_;
  const WantedRows wanted_;
  const int16_t max_level_;
  const uint8_t* dictionary_ = nullptr;
  std::vector<int64_t> refused_;  // dictionary parts that were refused
};

// Returns the row that contains `slot`: row i starts at slots[i], and starts ascend.
// Returns -1 if the slot lies before the first row.
int64_t FindRow(const int64_t* slots, int64_t size, int64_t slot);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_VALUE_CONVERTER_H_
