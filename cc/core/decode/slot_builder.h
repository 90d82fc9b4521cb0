// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_SLOT_BUILDER_H_
#define ROWFEED_CORE_DECODE_SLOT_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/decode/dictionary.h"
#include "core/decode/level_reader.h"
#include "core/decode/memory_pool.h"
#include "core/decode/page_opener.h"
#include "core/decode/pooled_array.h"
#include "core/decode/slots.h"
#include "core/decode/value_decoder.h"
#include "core/status.h"

namespace rowfeed {

// Turns the values of pages, in order, into Slots. The pages decide the form once:
// indices where all are dictionary-coded, else values, side by side or left in their
// pages where the rows are wide enough.
class SlotBuilder {
 public:
  // `pages` are all that may be appended. Opens the dictionary.
  static Result<std::unique_ptr<SlotBuilder>> Make(
      const ChunkRequest& request, const SlotFormat& format, const PageList& pages,
      PageOpener* opener, const std::shared_ptr<BufferPool>& pool);

  // Appends the page that `opener` opened last.
  Status Append(const Page& page, const PageBody& body, const PageLevels& levels);

  int64_t num_slots() const { return slots_.num_slots; }
  Slots Finish();

 private:
  enum class Form { kIndices, kSideBySide, kInPages };

  SlotBuilder(const ChunkRequest& request, const SlotFormat& format, PageOpener* opener,
              const std::shared_ptr<BufferPool>& pool);

  Status OpenDictionary(const PageList& pages);
  static Form ChooseForm(const SlotFormat& format, const PageList& pages);

  Status AppendIndices(const PageBody& body, int64_t num_levels,
                       const PageLevels& levels);
  Status AppendInPage(const Page& page, const PageBody& body, const PageLevels& levels);
  Status AppendSideBySide(const Page& page, const PageBody& body,
                          const PageLevels& levels);
  // Writes a page's slots, nulls filled.
  Status DecodeValues(const Page& page, const PageBody& body, const PageLevels& levels,
                      uint8_t* out);
  Status LookUp(const PageBody& body, int64_t num_levels, int64_t count, uint8_t* out);
  void KeepPage();

  const SlotFormat format_;
  const int16_t max_level_;
  const bool nulls_are_filled_;
  const bool with_mask_;
  PageOpener* const opener_;
  const std::shared_ptr<BufferPool> pool_;
  ChunkMemoryPool arrow_pool_;
  ValueDecoder decoder_;
  Form form_ = Form::kSideBySide;
  int64_t expected_slots_ = 0;  // in all pages; more where null lists are filled
  std::string null_slot_;
  std::optional<Dictionary> dictionary_;
  PooledArray<int32_t> indices_;  // of the chunk (kIndices) or of a page
  PooledArray<uint8_t> values_;
  PooledArray<uint8_t> mask_;
  Slots slots_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_SLOT_BUILDER_H_
