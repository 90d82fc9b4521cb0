// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_SLOT_BUILDER_H_
#define ROWFEED_CORE_DECODE_SLOT_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/decode/blocks/slots.h"
#include "core/decode/chunk/memory_pool.h"
#include "core/decode/levels/level_reader.h"
#include "core/decode/pages/page_opener.h"
#include "core/decode/row_placer.h"
#include "core/decode/values/dictionary.h"
#include "core/decode/values/value_converter.h"
#include "core/decode/values/value_decoder.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// Turns the values of a chunk's pages, page by page, into Slots. What Slots hold is
// decided once for the chunk. They hold dictionary indices if all wanted pages have
// such, else values: put at the places that the request has for its rows, side by side
// in one buffer, or left in their pages if rows are wide enough.
class SlotBuilder {
 public:
  // `pages` are all pages that will be appended or passed over. Opens the dictionary.
  // Slots are counted from the first one appended. `row_of_slot` is called only for
  // slots of the current page.
  static Result<std::unique_ptr<SlotBuilder>> Make(
      const ChunkRequest& request, const SlotFormat& format, const PageList& pages,
      RowOfSlot row_of_slot, PageOpener* opener,
      const std::shared_ptr<BufferPool>& pool);

  // Appends the slots of the page that `opener` opened last.
  Status Append(const Page& page, const PageBody& body, const PageLevels& levels);

  // Appends `num_slots` slots that nobody wants: zeros, or nothing where rows are put
  // at their places.
  Status PassOver(int64_t num_slots);

  // Says with which slot row request.begin_row begins. Call it before that slot is
  // appended.
  void BeginRows(int64_t slot) {
    if (placer_) placer_->BeginRows(slot);
  }

  int64_t num_slots() const { return slots_.num_slots; }
  Slots Finish();

 private:
  enum class Form { kIndices, kPlaced, kSideBySide, kInPages };

  SlotBuilder(const ChunkRequest& request, const SlotFormat& format,
              RowOfSlot row_of_slot, PageOpener* opener,
              const std::shared_ptr<BufferPool>& pool);

  Status OpenDictionary(const PageList& pages);
  // Whether the slots are exactly the rows for which request.rows_out has room.
  bool CanFill(const ChunkRequest& request) const;
  Form ChooseForm(const ChunkRequest& request, const PageList& pages) const;

  Status AppendIndices(const PageBody& body, int64_t num_levels,
                       const PageLevels& levels);
  Status AppendPlaced(const Page& page, PageBody body, const PageLevels& levels);
  // Looks up the dictionary indices of a page run by run, and places the values of each
  // run, so that the page's values need little memory. May throw.
  Status PlaceEntries(const Page& page, const PageBody& body, const PageLevels& levels);
  Status AppendInPage(const Page& page, const PageBody& body, const PageLevels& levels);
  // Whether the page's stored values are slots as they are: plain, not converted, and
  // without nulls.
  bool AreSlots(const Page& page, const PageLevels& levels) const;
  Status AppendSideBySide(const Page& page, const PageBody& body,
                          const PageLevels& levels);
  // Returns where the next slots go (kSideBySide only).
  Result<uint8_t*> AddRoom(int64_t num_slots);
  // Writes all slots of a page to `out`, nulls filled.
  Status DecodeValues(const Page& page, const PageBody& body, const PageLevels& levels,
                      uint8_t* out);
  // Converts a page's present values, and writes their slots to `out`.
  Status Convert(const Page& page, const PageBody& body, const PageLevels& levels,
                 uint8_t* out);
  Status DecodeIndices(const PageBody& body, int64_t num_levels,
                       const PageLevels& levels, int32_t* indices);
  Status LookUp(const PageBody& body, int64_t num_levels, const PageLevels& levels,
                uint8_t* out);
  // Appends to the mask which slots of a page are no nulls, if the request asks for it.
  Status ExtendMask(const PageLevels& levels);
  void KeepPage();

  const SlotFormat format_;
  const int16_t max_level_;
  const bool nulls_are_filled_;
  const bool with_mask_;
  const RowOfSlot row_of_page_slot_;
  PageOpener* const opener_;
  const std::shared_ptr<BufferPool> pool_;
  ChunkMemoryPool arrow_pool_;
  ValueDecoder decoder_;
  std::optional<ValueConverter> converter_;  // set if the format has a conversion
  std::optional<RowPlacer> placer_;          // set for kPlaced
  uint8_t* rows_out_ = nullptr;  // where kSideBySide writes; nullptr: to values_
  Form form_ = Form::kSideBySide;
  // Number of values in all pages. Lists may have more slots, where null lists are
  // filled.
  int64_t expected_slots_ = 0;
  std::string null_slot_;
  std::optional<Dictionary> dictionary_;
  PooledArray<int32_t> indices_;  // indices of the chunk (kIndices) or one page
  PooledArray<uint8_t> values_;   // slots of the chunk (kSideBySide) or one page
  PooledArray<uint8_t> mask_;
  PooledArray<uint8_t> unconverted_;  // values of one page before conversion
  Slots slots_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_SLOT_BUILDER_H_
