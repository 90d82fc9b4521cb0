// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/column_decoder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/arrow_status.h"
#include "core/decode/blocks/make_blocks.h"
#include "core/decode/blocks/slots.h"
#include "core/decode/file_rows.h"
#include "core/decode/levels/level_reader.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/constant_pages.h"
#include "core/decode/pages/page_list.h"
#include "core/decode/pages/page_opener.h"
#include "core/decode/pages/page_selection.h"
#include "core/decode/row_placer.h"
#include "core/decode/slot_builder.h"
#include "core/decode/values/make_slot_format.h"

namespace rowfeed {
namespace {

// Decodes the selected pages of a chunk into Slots.
class PageDecoder {
 public:
  PageDecoder(const ChunkRequest& request, const PageSelection& selection,
              PageOpener* opener, std::shared_ptr<BufferPool> pool)
      : request_(request),
        selection_(selection),
        opener_(opener),
        levels_(request, pool),
        pool_(std::move(pool)),
        rows_(selection.rows_before),
        values_before_row_(selection.values_before_row) {}

  Result<Slots> Decode(const SlotFormat& format) {
    ROWFEED_ASSIGN_OR_RETURN(builder_,
                             SlotBuilder::Make(
                                 request_, format, selection_.pages,
                                 [this, is_list = format.is_list](int64_t slot) {
                                   return is_list ? RowOfElement(slot)
                                                  : selection_.rows_before + slot;
                                 },
                                 opener_, pool_));
    return format.is_list ? DecodeLists(format.slots_per_row) : DecodeFlat();
  }

 private:
  Result<Slots> DecodeFlat();
  Result<Slots> DecodeLists(int64_t slots_per_row);
  Status AppendLists(const Page& page);
  Status PassOverLists(int64_t num_rows, int64_t slots_per_row);
  int64_t RowOfElement(int64_t slot);
  Result<PageBody> Open(const Page& page);
  void BeginRows();
  Status CheckFirstRow(int64_t num_values);
  Result<Slots> FinishLists();

  const ChunkRequest& request_;
  const PageSelection& selection_;
  PageOpener* const opener_;
  LevelReader levels_;
  const std::shared_ptr<BufferPool> pool_;
  std::unique_ptr<SlotBuilder> builder_;
  // Number of rows of the row group that started in the pages so far, those before the
  // selection included.
  int64_t rows_;
  // Number of values that must still come before the first row starts; nullopt:
  // unknown.
  std::optional<int64_t> values_before_row_;
  // Lists only: first row that starts in the first page whose slots were kept.
  std::optional<int64_t> first_row_;
};

Result<PageBody> PageDecoder::Open(const Page& page) {
  if (request_.cancelled != nullptr && *request_.cancelled) {
    return Status(StatusCode::kCancelled, "decoding was cancelled");
  }
  return opener_->Open(page);
}

Result<Slots> PageDecoder::DecodeFlat() {
  builder_->BeginRows(request_.begin_row - selection_.rows_before);
  for (const Page& page : selection_.pages.data) {
    if (!page.is_wanted) {
      ROWFEED_RETURN_NOT_OK(builder_->PassOver(page.header.num_values));
      rows_ += page.header.num_values;
      continue;
    }
    ROWFEED_ASSIGN_OR_RETURN(const PageBody body, Open(page));
    ROWFEED_ASSIGN_OR_RETURN(const PageLevels levels,
                             levels_.ReadFlat(body, page.header.num_values, rows_));
    ROWFEED_RETURN_NOT_OK(builder_->Append(page, body, levels));
    rows_ += levels.num_slots;
  }
  Slots slots = builder_->Finish();
  slots.first_row = selection_.rows_before;
  slots.num_rows = slots.num_slots;
  return slots;
}

Result<Slots> PageDecoder::DecodeLists(int64_t slots_per_row) {
  for (const Page& page : selection_.pages.data) {
    // The end of a row is known only when the next one starts: hence `>`, not `>=`.
    if (rows_ > request_.end_row) return FinishLists();
    ROWFEED_RETURN_NOT_OK(page.is_wanted ? AppendLists(page)
                                         : PassOverLists(page.num_rows, slots_per_row));
  }
  const int64_t expected =
      selection_.is_counted ? request_.end_row : request_.group_rows;
  if (selection_.is_counted ? rows_ < expected : rows_ != expected) {
    return Status::Corrupt("expected ", expected, " rows by the footer, found ", rows_,
                           " in the pages");
  }
  return FinishLists();
}

Status PageDecoder::AppendLists(const Page& page) {
  const int64_t num_values = page.header.num_values;
  ROWFEED_ASSIGN_OR_RETURN(const PageBody body, Open(page));
  ROWFEED_ASSIGN_OR_RETURN(const int64_t num_rows, levels_.CountRows(body, num_values));
  if (request_.pages != nullptr && !request_.pages->empty()) {
    ROWFEED_RETURN_NOT_OK(
        CheckRows(*request_.pages, page, num_rows, request_.group_rows));
  }
  if (rows_ == selection_.rows_before) {
    ROWFEED_RETURN_NOT_OK(CheckFirstRow(num_values));
  }
  const int64_t first_row = rows_;
  rows_ += num_rows;
  // All rows of the page lie before the requested rows.
  if (rows_ <= request_.begin_row) return {};
  if (!first_row_) first_row_ = first_row;
  ROWFEED_ASSIGN_OR_RETURN(
      const PageLevels levels,
      levels_.ReadLists(body, num_values, first_row, builder_->num_slots()));
  BeginRows();
  return builder_->Append(page, body, levels);
}

Status PageDecoder::PassOverLists(int64_t num_rows, int64_t slots_per_row) {
  if (!first_row_) first_row_ = rows_;
  rows_ += num_rows;
  ROWFEED_RETURN_NOT_OK(
      levels_.PassOverRows(num_rows, slots_per_row, builder_->num_slots()));
  BeginRows();
  return builder_->PassOver(num_rows * slots_per_row);
}

void PageDecoder::BeginRows() {
  const int64_t row = request_.begin_row - *first_row_;
  if (row < levels_.offsets().size()) builder_->BeginRows(levels_.offsets()[row]);
}

// Checks that the first page begins with as many values of an earlier row as page
// headers say. If it does not, the rows of pages that were left out were counted wrong.
Status PageDecoder::CheckFirstRow(int64_t num_values) {
  if (!values_before_row_) return {};
  const int64_t expected = std::min(*values_before_row_, num_values);
  const int64_t found = levels_.starts().size() > 0 ? levels_.starts()[0] : num_values;
  *values_before_row_ -= expected;
  if (found == expected) return {};
  return Status::Corrupt("a page starts with ", found,
                         " values of an earlier row, expected ", expected);
}

int64_t PageDecoder::RowOfElement(int64_t slot) {
  const PooledArray<int64_t>& offsets = levels_.offsets();
  return *first_row_ + FindRow(offsets.data(), offsets.size(), slot);
}

Result<Slots> PageDecoder::FinishLists() {
  PooledArray<int64_t>& offsets = levels_.offsets();
  ROWFEED_RETURN_NOT_OK(offsets.Reserve(offsets.size() + 1));
  Slots slots = builder_->Finish();
  slots.first_row = first_row_.value_or(request_.begin_row);
  slots.num_rows = offsets.size();
  offsets.Append(slots.num_slots);
  slots.offsets = offsets.data();
  slots.buffers.push_back(offsets.Release());
  if (Buffer mask = levels_.ReleaseRowMask()) {
    slots.mask = mask.data();
    slots.mask_buffer = std::move(mask);
  }
  ROWFEED_ASSIGN_OR_RETURN(slots.inner_lists, levels_.FinishInnerLists());
  return slots;
}

// Whether levels are in the deprecated BIT_PACKED encoding of old writers, which only
// Arrow decodes.
bool HasLevelsForArrow(const PageList& pages, const ColumnStorage& storage) {
  return std::any_of(pages.data.begin(), pages.data.end(), [&](const Page& page) {
    return (storage.max_definition_level > 0 &&
            page.header.definition_level_encoding != PageHeader::kRle) ||
           (storage.max_repetition_level() > 0 &&
            page.header.repetition_level_encoding != PageHeader::kRle);
  });
}

// Decodes the selected pages, whose bytes lie in `buffers`.
Result<PartBlocks> DecodeSelection(const ChunkRequest& request,
                                   const SlotFormat& format,
                                   const PageSelection& selection,
                                   std::vector<Buffer> buffers,
                                   const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(
      PageOpener opener,
      PageOpener::Make(request.chunk, *request.storage, pool, request.decompress_ns,
                       request.verifies_checksums));
  ROWFEED_ASSIGN_OR_RETURN(
      Slots slots, PageDecoder(request, selection, &opener, pool).Decode(format));
  if (opener.left_in_place()) {
    for (Buffer& buffer : buffers) slots.buffers.push_back(std::move(buffer));
  }
  return MakeBlocks(std::move(slots), request, pool);
}

// Whether the values of wide rows are read from the file straight to their places, with
// several reads a page. Not where all rows are wanted and the file may not be in the
// page cache: one read of the chunk is faster on a disk. Not where checksums are
// verified, which needs the whole bodies of pages.
bool AreValuesLeftInFile(const ChunkRequest& request, const SlotFormat& format) {
  const ColumnChunk& chunk = request.chunk;
  return CanPlace(request, format) && chunk.is_verbatim &&
         !request.verifies_checksums && chunk.size > ChunkReader::kSmallChunk &&
         (!request.wants_all() ||
          request.file->IsInPageCache(chunk.offset + chunk.size / 2));
}

Result<PartBlocks> DecodePages(const ChunkRequest& request,
                               const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(const SlotFormat format,
                           MakeSlotFormat(*request.source, *request.storage,
                                          *request.column, request.encoding));
  const bool leaves_values = AreValuesLeftInFile(request, format);
  ROWFEED_ASSIGN_OR_RETURN(ChunkReader reader,
                           leaves_values ? ChunkReader::OpenLazily(request, pool)
                                         : ChunkReader::Open(request, pool));
  ROWFEED_ASSIGN_OR_RETURN(PageSelection selection,
                           FindPages(request, format, &reader));
  if (HasLevelsForArrow(selection.pages, *request.storage)) {
    return DecodeColumnWithArrow(request, pool);
  }
  ROWFEED_RETURN_NOT_OK(leaves_values
                            ? LoadLevels(&reader, *request.storage, &selection.pages)
                            : LoadBodies(&reader, &selection.pages));
  return DecodeSelection(request, format, selection, reader.TakeBuffers(), pool);
}

Result<PartBlocks> DecodeConstant(const ChunkRequest& request,
                                  const std::shared_ptr<BufferPool>& pool) {
  ROWFEED_ASSIGN_OR_RETURN(const SlotFormat format,
                           MakeSlotFormat(*request.source, *request.storage,
                                          *request.column, request.encoding));
  ROWFEED_ASSIGN_OR_RETURN(ConstantPages constant,
                           MakeConstantPages(request, pool.get()));
  ROWFEED_ASSIGN_OR_RETURN(const PageSelection selection,
                           SelectPages(request, format, std::move(constant.pages)));
  return DecodeSelection(request, format, selection, std::move(constant.buffers), pool);
}

}  // namespace

Result<PartBlocks> DecodeColumn(const ChunkRequest& request,
                                const std::shared_ptr<BufferPool>& pool) {
  // Calls below that may throw catch their own exceptions; this one is for
  // std::bad_alloc.
  return CatchParquet([&]() -> Result<PartBlocks> {
    if (request.constant) return DecodeConstant(request, pool);
    if (!request.in_memory &&
        AreRowsLeftInFile(*request.column, request.chunk, request.group_rows)) {
      ROWFEED_ASSIGN_OR_RETURN(PartBlocks blocks, FindFileRows(request, pool));
      if (!blocks.empty()) return blocks;
    }
    return DecodePages(request, pool);
  });
}

}  // namespace rowfeed
