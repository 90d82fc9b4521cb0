// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/dictionary.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/arrow_status.h"
#include "core/width.h"

namespace rowfeed {

Dictionary::Dictionary(const uint8_t* slots, int32_t size,
                       arrow::MemoryPool* arrow_pool)
    : slots_(slots),
      size_(size),
      decoder_(parquet::MakeDictDecoder<parquet::Int32Type>(nullptr, arrow_pool)) {}

Result<Dictionary> Dictionary::Make(const Page& page, const SlotFormat& format,
                                    const std::string* null_slot, PageOpener* opener,
                                    ValueDecoder* decoder, ValueConverter* converter,
                                    const std::shared_ptr<BufferPool>& pool,
                                    arrow::MemoryPool* arrow_pool,
                                    std::vector<Buffer>* buffers) {
  const PageHeader& header = page.header;
  if (header.encoding != PageHeader::kPlain &&
      header.encoding != PageHeader::kPlainDictionary) {
    return Status::Unsupported("encoding ", header.encoding,
                               " of a dictionary is not known");
  }
  const int64_t size = header.num_values;
  const int64_t spare = null_slot == nullptr ? 0 : format.width;
  ROWFEED_ASSIGN_OR_RETURN(
      Bytes values, opener->OpenDictionary(page, format.is_verbatim() ? spare : 0));
  ROWFEED_RETURN_NOT_OK(
      decoder->CheckSize(PageHeader::kPlain, std::ssize(values), size));
  Buffer stored = opener->TakeBuffer();
  const uint8_t* slots = values.data();
  uint8_t* written = stored.data();
  if (stored) slots = stored.data();  // an empty dictionary may have no address
  Buffer unconverted;
  if (!format.is_verbatim()) {
    ROWFEED_ASSIGN_OR_RETURN(Buffer converted,
                             pool->Allocate((size + 1) * format.width));
    written = converted.data();
    uint8_t* decoded = written;
    if (converter != nullptr) {
      ROWFEED_ASSIGN_OR_RETURN(unconverted, pool->Allocate(size * format.value_width));
      decoded = unconverted.data();
    }
    ROWFEED_RETURN_NOT_OK(
        decoder->Decode(PageHeader::kPlain, values, size, size, decoded, buffers));
    if (converter != nullptr) converter->ConvertDictionary(decoded, size, written);
    slots = written;
    buffers->push_back(std::move(converted));
  }
  const bool is_refused = converter != nullptr && converter->has_refused_entries();
  if (is_refused) buffers->push_back(std::move(unconverted));
  const bool is_pointed_to = format.is_verbatim() || format.is_bytes() || is_refused;
  if (stored && is_pointed_to) buffers->push_back(std::move(stored));
  if (null_slot != nullptr) {
    std::memcpy(written + size * format.width, null_slot->data(), format.width);
  }
  return CatchParquet([&]() -> Result<Dictionary> {
    return Dictionary(slots, header.num_values, arrow_pool);
  });
}

void Dictionary::SetPage(Bytes values, int64_t num_levels) {
  decoder_->SetData(static_cast<int>(num_levels), values.data(),
                    static_cast<int>(values.size()));
}

Status Dictionary::DecodeNext(int64_t done, int64_t size, int64_t count,
                              int32_t* indices) {
  const int found = decoder_->DecodeIndices(static_cast<int>(size), indices);
  if (found != size) {
    return Status::Corrupt("a page has ", done + found, " indices, expected ", count);
  }
  return CheckIndices(indices, size);
}

Status Dictionary::DecodeIndices(Bytes values, int64_t num_levels, int64_t count,
                                 int32_t* indices) {
  return CatchParquet([&] {
    SetPage(values, num_levels);
    return DecodeNext(0, count, count, indices);
  });
}

Status Dictionary::LookUp(Bytes values, int64_t num_levels, int64_t count,
                          int64_t width, uint8_t* out) {
  return CatchParquet([&]() -> Status {
    SetPage(values, num_levels);
    return LookUpNext(0, count, count, width, out);
  });
}

Status Dictionary::LookUpNext(int64_t done, int64_t size, int64_t count, int64_t width,
                              uint8_t* out) {
  std::array<int32_t, 1024> indices;  // few enough to stay in the cache
  for (int64_t begin = 0; begin < size; begin += std::ssize(indices)) {
    const int64_t num = std::min(size - begin, std::ssize(indices));
    ROWFEED_RETURN_NOT_OK(DecodeNext(done + begin, num, count, indices.data()));
    WithWidth(width, [&](auto slot) {
      const uint8_t* __restrict slots = slots_;
      uint8_t* __restrict to = out + begin * slot.get();
      for (int64_t i = 0; i < num; ++i) {
        slot.Copy(to + i * slot.get(), slots + int64_t{indices[i]} * slot.get());
      }
    });
  }
  return {};
}

Status Dictionary::CheckIndices(const int32_t* indices, int64_t count) const {
  // An index is valid if its sign bit is 0 and that of index - size is 1. OR-ing the
  // sign bits of many indices can be vectorised on any machine; taking a maximum
  // cannot.
  const auto size = static_cast<uint32_t>(size_);
  uint32_t wrong = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<uint32_t>(indices[i]);
    wrong |= index | ~(index - size);
  }
  if ((wrong >> 31) == 0) return {};
  const int32_t* bad = std::find_if(indices, indices + count, [&](int32_t index) {
    return index < 0 || index >= size_;
  });
  return Status::Corrupt("index ", *bad, " into a dictionary of ", size_, " values");
}

}  // namespace rowfeed
