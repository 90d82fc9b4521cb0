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

// Turns the values of pages, in order, into Slots. The pages decide the form once:
// indices where all are dictionary-coded, else values: put where the request wants each
// row, side by side, or left in their pages where the rows are wide enough.
class SlotBuilder {
 public:
  // `pages` are all that may be appended. Opens the dictionary. Slots are counted from
  // the first one appended; row_of_slot is asked for those of the page at hand.
  static Result<std::unique_ptr<SlotBuilder>> Make(
      const ChunkRequest& request, const SlotFormat& format, const PageList& pages,
      RowOfSlot row_of_slot, PageOpener* opener,
      const std::shared_ptr<BufferPool>& pool);

  // Appends the page that `opener` opened last.
  Status Append(const Page& page, const PageBody& body, const PageLevels& levels);

  // Appends slots that no one will look at: zeros, or nothing where rows are placed.
  Status PassOver(int64_t num_slots);

  // Says which slot request.begin_row begins with, before it is appended.
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
  // Whether the slots are all the rows that request.rows_out has room for.
  bool CanFill(const ChunkRequest& request) const;
  Form ChooseForm(const ChunkRequest& request, const PageList& pages) const;

  Status AppendIndices(const PageBody& body, int64_t num_levels,
                       const PageLevels& levels);
  Status AppendPlaced(const Page& page, PageBody body, const PageLevels& levels);
  // Looks up a page's indices run by run, so that its values take no memory. May throw.
  Status PlaceEntries(const Page& page, const PageBody& body, const PageLevels& levels);
  Status AppendInPage(const Page& page, const PageBody& body, const PageLevels& levels);
  // Whether the values are slots already.
  bool AreSlots(const Page& page, const PageLevels& levels) const;
  Status AppendSideBySide(const Page& page, const PageBody& body,
                          const PageLevels& levels);
  // Where the next slots of kSideBySide go.
  Result<uint8_t*> AddRoom(int64_t num_slots);
  // Writes a page's slots, nulls filled.
  Status DecodeValues(const Page& page, const PageBody& body, const PageLevels& levels,
                      uint8_t* out);
  // Writes the slots of a page's present values.
  Status Convert(const Page& page, const PageBody& body, const PageLevels& levels,
                 uint8_t* out);
  Status DecodeIndices(const PageBody& body, int64_t num_levels,
                       const PageLevels& levels, int32_t* indices);
  Status LookUp(const PageBody& body, int64_t num_levels, const PageLevels& levels,
                uint8_t* out);
  // Appends which of a page's slots are there, if the request asks for that.
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
  std::optional<ValueConverter> converter_;  // if the format converts
  std::optional<RowPlacer> placer_;          // of kPlaced
  uint8_t* rows_out_ = nullptr;              // the slots of kSideBySide, unless nullptr
  Form form_ = Form::kSideBySide;
  int64_t expected_slots_ = 0;  // in all pages; more where null lists are filled
  std::string null_slot_;
  std::optional<Dictionary> dictionary_;
  PooledArray<int32_t> indices_;  // of the chunk (kIndices) or of a page
  PooledArray<uint8_t> values_;   // of the chunk (kSideBySide) or of a page
  PooledArray<uint8_t> mask_;
  PooledArray<uint8_t> unconverted_;  // of a page
  Slots slots_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_SLOT_BUILDER_H_
