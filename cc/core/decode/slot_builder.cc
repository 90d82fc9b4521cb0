// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/slot_builder.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/arrow_status.h"
#include "core/decode/levels/null_slots.h"
#include "core/decode/values/make_slot_format.h"
#include "core/width.h"

namespace rowfeed {
namespace {

bool NeedsDictionary(const Page& page) { return page.needs_dictionary(); }

bool HasIndicesIfWanted(const Page& page) {
  return !page.is_wanted || page.header.is_dictionary_coded();
}

}  // namespace

SlotBuilder::SlotBuilder(const ChunkRequest& request, const SlotFormat& format,
                         RowOfSlot row_of_slot, PageOpener* opener,
                         const std::shared_ptr<BufferPool>& pool)
    : format_(format),
      max_level_(request.storage->max_definition_level),
      nulls_are_filled_(request.null_rows_are_filled()),
      with_mask_(request.masks_slots()),
      row_of_page_slot_([this, row_of_slot = std::move(row_of_slot)](int64_t slot) {
        return row_of_slot(slots_.num_slots + slot);
      }),
      opener_(opener),
      pool_(pool),
      arrow_pool_(request.chunk),
      decoder_(format, *request.storage, &arrow_pool_, pool),
      indices_(pool),
      values_(pool),
      mask_(pool),
      unconverted_(pool) {
  slots_.format = format;
  if (format.conversion != nullptr) converter_.emplace(request, format);
}

SlotBuilder::Form SlotBuilder::ChooseForm(const ChunkRequest& request,
                                          const PageList& pages) const {
  if (rows_out_ != nullptr) return Form::kSideBySide;
  // Placing comes before indices, as the indices of a chunk may take more memory than
  // the batches of its rows.
  if (CanPlace(request, format_)) return Form::kPlaced;
  const bool is_smaller_than_index =
      !format_.is_bytes() && format_.width < static_cast<int64_t>(sizeof(int32_t));
  if (!is_smaller_than_index &&
      std::all_of(pages.data.begin(), pages.data.end(), HasIndicesIfWanted)) {
    return Form::kIndices;
  }
  // The slots of strings are pointers into the pages.
  if (format_.is_bytes()) return Form::kSideBySide;
  const bool is_wide = format_.slots_per_row == 0 ||
                       format_.slots_per_row * format_.width >= kWideRowBytes;
  return is_wide || pages.data.size() == 1 ? Form::kInPages : Form::kSideBySide;
}

Result<std::unique_ptr<SlotBuilder>> SlotBuilder::Make(
    const ChunkRequest& request, const SlotFormat& format, const PageList& pages,
    RowOfSlot row_of_slot, PageOpener* opener,
    const std::shared_ptr<BufferPool>& pool) {
  std::unique_ptr<SlotBuilder> builder(
      new SlotBuilder(request, format, std::move(row_of_slot), opener, pool));
  for (const Page& page : pages.data)
    builder->expected_slots_ += page.header.num_values;
  if (builder->CanFill(request)) builder->rows_out_ = request.rows_out;
  builder->form_ = builder->ChooseForm(request, pages);
  if (builder->form_ == Form::kPlaced) builder->placer_.emplace(request, format, pool);
  ROWFEED_ASSIGN_OR_RETURN(builder->null_slot_,
                           MakeNullSlot(format, *request.fill, builder->pool_.get(),
                                        &builder->slots_.buffers));
  if (std::any_of(pages.data.begin(), pages.data.end(), NeedsDictionary)) {
    ROWFEED_RETURN_NOT_OK(builder->OpenDictionary(pages));
  }
  return builder;
}

bool SlotBuilder::CanFill(const ChunkRequest& request) const {
  return request.rows_out != nullptr && !format_.is_list && !format_.is_bytes() &&
         format_.slots_per_row == 1 && request.wants_all() &&
         expected_slots_ == request.group_rows;
}

Status SlotBuilder::OpenDictionary(const PageList& pages) {
  if (!pages.dictionary) {
    return Status::Corrupt("dictionary indices, but the chunk has no dictionary page");
  }
  const bool has_null_slot = form_ == Form::kIndices && nulls_are_filled_;
  auto dictionary = Dictionary::Make(*pages.dictionary, format_,
                                     has_null_slot ? &null_slot_ : nullptr, opener_,
                                     &decoder_, converter_ ? &*converter_ : nullptr,
                                     pool_, arrow_pool_.get(), &slots_.buffers);
  ROWFEED_RETURN_NOT_OK(dictionary.status());
  dictionary_ = *std::move(dictionary);
  return {};
}

Status SlotBuilder::Append(const Page& page, const PageBody& body,
                           const PageLevels& levels) {
  if (levels.num_slots == 0) return {};
  switch (form_) {
    case Form::kIndices:
      ROWFEED_RETURN_NOT_OK(AppendIndices(body, page.header.num_values, levels));
      break;
    case Form::kPlaced:
      ROWFEED_RETURN_NOT_OK(AppendPlaced(page, body, levels));
      break;
    case Form::kInPages:
      ROWFEED_RETURN_NOT_OK(AppendInPage(page, body, levels));
      break;
    case Form::kSideBySide:
      ROWFEED_RETURN_NOT_OK(AppendSideBySide(page, body, levels));
      break;
  }
  slots_.num_slots += levels.num_slots;
  return ExtendMask(levels);
}

// Reserves the mask for the whole chunk at once: growing page by page would copy it,
// and take its memory twice.
Status SlotBuilder::ExtendMask(const PageLevels& levels) {
  if (!with_mask_) return {};
  ROWFEED_RETURN_NOT_OK(mask_.Reserve(expected_slots_));
  return AppendMask(levels, max_level_, &mask_);
}

Status SlotBuilder::PassOver(int64_t num_slots) {
  if (num_slots == 0) return {};
  const int64_t begin = slots_.num_slots;
  if (form_ == Form::kIndices) {
    ROWFEED_RETURN_NOT_OK(indices_.Reserve(expected_slots_));
    ROWFEED_RETURN_NOT_OK(indices_.Resize(begin + num_slots));
    std::fill_n(indices_.data() + begin, num_slots, 0);
  } else if (form_ == Form::kInPages) {
    ROWFEED_ASSIGN_OR_RETURN(Buffer out, pool_->Allocate(num_slots * format_.width));
    slots_.segments.push_back({out.data(), begin, begin + num_slots});
    slots_.buffers.push_back(std::move(out));
  } else if (form_ == Form::kSideBySide) {
    ROWFEED_ASSIGN_OR_RETURN(uint8_t* const out, AddRoom(num_slots));
    std::fill_n(out, num_slots * format_.width, 0);
  }
  slots_.num_slots += num_slots;
  const PageLevels present{num_slots, num_slots, nullptr};
  return ExtendMask(present);
}

Status SlotBuilder::AppendIndices(const PageBody& body, int64_t num_levels,
                                  const PageLevels& levels) {
  const int64_t size = indices_.size();
  ROWFEED_RETURN_NOT_OK(indices_.Reserve(expected_slots_));
  ROWFEED_RETURN_NOT_OK(indices_.Resize(size + levels.num_slots));
  int32_t* indices = indices_.data() + size;
  ROWFEED_RETURN_NOT_OK(DecodeIndices(body, num_levels, levels, indices));
  // Nulls that are not filled are in rows that nobody wants: any valid index will do.
  const int32_t null_index = nulls_are_filled_ ? dictionary_->size() : 0;
  SpreadOverNulls(levels, max_level_, sizeof(int32_t), &null_index,
                  reinterpret_cast<uint8_t*>(indices));
  return {};
}

bool SlotBuilder::AreSlots(const Page& page, const PageLevels& levels) const {
  return page.header.encoding == PageHeader::kPlain && format_.is_verbatim() &&
         levels.slot_levels == nullptr;
}

Status SlotBuilder::AppendPlaced(const Page& page, PageBody body,
                                 const PageLevels& levels) {
  const int64_t begin = slots_.num_slots;
  const int64_t end = begin + levels.num_slots;
  const int64_t bytes_left = page.bytes_left();
  ROWFEED_RETURN_NOT_OK(decoder_.CheckSize(
      page.header.encoding, bytes_left > 0 ? bytes_left : std::ssize(body.values),
      levels.num_present));
  const bool are_slots = AreSlots(page, levels);
  if (bytes_left > 0) {
    const int64_t offset = page.offset + std::ssize(page.body);
    if (are_slots) return placer_->Read(offset, begin, end);
    ROWFEED_ASSIGN_OR_RETURN(body.values, placer_->Load(offset, bytes_left));
  }
  if (page.header.is_dictionary_coded() &&
      !(converter_ && converter_->has_refused_entries())) {
    return CatchParquet([&] { return PlaceEntries(page, body, levels); });
  }
  const uint8_t* slots = body.values.data();
  if (!are_slots) {
    values_.Clear();
    ROWFEED_RETURN_NOT_OK(values_.Resize(levels.num_slots * format_.width));
    ROWFEED_RETURN_NOT_OK(DecodeValues(page, body, levels, values_.data()));
    slots = values_.data();
  }
  placer_->Place(slots, begin, end);
  return {};
}

Status SlotBuilder::PlaceEntries(const Page& page, const PageBody& body,
                                 const PageLevels& levels) {
  constexpr int64_t kMostSlots = 4096;  // few enough to stay in the cache
  dictionary_->SetPage(body.values, page.header.num_values);
  int64_t num_found = 0;
  for (int64_t done = 0; done < levels.num_slots; done += kMostSlots) {
    const int64_t size = std::min(kMostSlots, levels.num_slots - done);
    PageLevels run{size, size, nullptr};
    if (levels.slot_levels != nullptr) {
      run.slot_levels = levels.slot_levels + done;
      run.num_present = std::count(run.slot_levels, run.slot_levels + size, max_level_);
    }
    values_.Clear();
    ROWFEED_RETURN_NOT_OK(values_.Resize(size * format_.width));
    ROWFEED_RETURN_NOT_OK(dictionary_->LookUpNext(
        num_found, run.num_present, levels.num_present, format_.width, values_.data()));
    num_found += run.num_present;
    SpreadOverNulls(run, max_level_, format_.width, null_slot_.data(), values_.data());
    const int64_t begin = slots_.num_slots + done;
    placer_->Place(values_.data(), begin, begin + size);
  }
  return {};
}

Status SlotBuilder::AppendInPage(const Page& page, const PageBody& body,
                                 const PageLevels& levels) {
  const int64_t begin = slots_.num_slots;
  const int64_t end = begin + levels.num_slots;
  ROWFEED_RETURN_NOT_OK(decoder_.CheckSize(
      page.header.encoding, std::ssize(body.values), levels.num_present));
  if (AreSlots(page, levels)) {
    slots_.segments.push_back({body.values.data(), begin, end});
    KeepPage();
    return {};
  }
  ROWFEED_ASSIGN_OR_RETURN(Buffer out,
                           pool_->Allocate(levels.num_slots * format_.width));
  ROWFEED_RETURN_NOT_OK(DecodeValues(page, body, levels, out.data()));
  slots_.segments.push_back({out.data(), begin, end});
  slots_.buffers.push_back(std::move(out));
  return {};
}

Status SlotBuilder::AppendSideBySide(const Page& page, const PageBody& body,
                                     const PageLevels& levels) {
  ROWFEED_RETURN_NOT_OK(decoder_.CheckSize(
      page.header.encoding, std::ssize(body.values), levels.num_present));
  ROWFEED_ASSIGN_OR_RETURN(uint8_t* const out, AddRoom(levels.num_slots));
  ROWFEED_RETURN_NOT_OK(DecodeValues(page, body, levels, out));
  // Plain strings point into the page, which must be kept. Strings of other encodings
  // lie in buffers of their own.
  if (format_.is_bytes() && page.header.encoding == PageHeader::kPlain) KeepPage();
  return {};
}

Result<uint8_t*> SlotBuilder::AddRoom(int64_t num_slots) {
  const int64_t begin = slots_.num_slots * format_.width;
  if (rows_out_ != nullptr) {
    if (slots_.num_slots + num_slots <= expected_slots_) return rows_out_ + begin;
    return Status::Corrupt("pages hold more values than their headers say");
  }
  ROWFEED_RETURN_NOT_OK(values_.Reserve(expected_slots_ * format_.width));
  ROWFEED_RETURN_NOT_OK(values_.Resize(begin + num_slots * format_.width));
  return values_.data() + begin;
}

Status SlotBuilder::DecodeValues(const Page& page, const PageBody& body,
                                 const PageLevels& levels, uint8_t* out) {
  const PageHeader& header = page.header;
  if (header.is_dictionary_coded()) {
    ROWFEED_RETURN_NOT_OK(LookUp(body, header.num_values, levels, out));
  } else if (converter_) {
    ROWFEED_RETURN_NOT_OK(Convert(page, body, levels, out));
  } else {
    ROWFEED_RETURN_NOT_OK(decoder_.Decode(header.encoding, body.values,
                                          header.num_values, levels.num_present, out,
                                          &slots_.buffers));
  }
  SpreadOverNulls(levels, max_level_, format_.width, null_slot_.data(), out);
  return {};
}

Status SlotBuilder::Convert(const Page& page, const PageBody& body,
                            const PageLevels& levels, uint8_t* out) {
  const PageHeader& header = page.header;
  const uint8_t* values = body.values.data();
  std::vector<Buffer> buffers;  // memory that decoded strings point to
  if (header.encoding != PageHeader::kPlain ||
      format_.stored_width != format_.value_width) {
    ROWFEED_RETURN_NOT_OK(
        unconverted_.Resize(levels.num_present * format_.value_width));
    values = unconverted_.data();
    ROWFEED_RETURN_NOT_OK(decoder_.Decode(header.encoding, body.values,
                                          header.num_values, levels.num_present,
                                          unconverted_.data(), &buffers));
  }
  return converter_->Convert(values, levels, row_of_page_slot_, out);
}

Status SlotBuilder::DecodeIndices(const PageBody& body, int64_t num_levels,
                                  const PageLevels& levels, int32_t* indices) {
  ROWFEED_RETURN_NOT_OK(
      dictionary_->DecodeIndices(body.values, num_levels, levels.num_present, indices));
  if (!converter_) return {};
  return converter_->CheckIndices(indices, levels, row_of_page_slot_);
}

Status SlotBuilder::LookUp(const PageBody& body, int64_t num_levels,
                           const PageLevels& levels, uint8_t* out) {
  const int64_t count = levels.num_present;
  if (converter_ && converter_->has_refused_entries()) {
    ROWFEED_RETURN_NOT_OK(indices_.Resize(count));
    ROWFEED_RETURN_NOT_OK(DecodeIndices(body, num_levels, levels, indices_.data()));
  }
  return dictionary_->LookUp(body.values, num_levels, count, format_.width, out);
}

void SlotBuilder::KeepPage() {
  Buffer page = opener_->TakeBuffer();
  if (page) slots_.buffers.push_back(std::move(page));
}

Slots SlotBuilder::Finish() {
  if (form_ == Form::kIndices && dictionary_) {
    slots_.indices = indices_.data();
    slots_.dictionary = dictionary_->slots();
    slots_.buffers.push_back(indices_.Release());
  } else if (form_ == Form::kSideBySide && slots_.num_slots > 0) {
    const uint8_t* data = rows_out_ != nullptr ? rows_out_ : values_.data();
    slots_.segments.push_back({data, 0, slots_.num_slots});
    slots_.buffers.push_back(values_.Release());
  }
  slots_.are_placed = form_ == Form::kPlaced;
  if (with_mask_) {
    slots_.mask = mask_.data();
    slots_.mask_buffer = mask_.Release();
  }
  return std::move(slots_);
}

}  // namespace rowfeed
