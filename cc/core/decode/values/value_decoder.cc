// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/value_decoder.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "core/arrow_status.h"
#include "core/decode/values/make_slot_format.h"
#include "core/width.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;

Status TooFew(int64_t found, int64_t expected) {
  return Status::Corrupt("a page has ", found, " values, expected ", expected);
}

// Copies the low `width` bytes of little-endian integers of kStored bytes.
template <int64_t kStored>
void Narrow(const uint8_t* stored, int64_t count, int64_t width, uint8_t* slots) {
  WithWidth(width, [&](auto slot) {
    for (int64_t i = 0; i < count; ++i) {
      slot.Copy(slots + i * slot.get(), stored + i * kStored);
    }
  });
}

}  // namespace

ValueDecoder::ValueDecoder(const SlotFormat& format, const ColumnStorage& storage,
                           ChunkMemoryPool* arrow_pool,
                           std::shared_ptr<BufferPool> pool)
    : format_(format),
      arrow_pool_(arrow_pool),
      pool_(pool),
      descriptor_(MakeDescriptor(storage)),
      scratch_(std::move(pool)) {}

Status ValueDecoder::CheckSize(int32_t encoding, int64_t size, int64_t count) const {
  if (encoding != PageHeader::kPlain) return {};
  int64_t most = size;
  if (format_.physical == ColumnStorage::kBoolean) {
    most *= 8;
  } else {
    const bool has_lengths = format_.physical == ColumnStorage::kByteArray;
    most /= has_lengths ? sizeof(uint32_t) : format_.stored_width;
  }
  return count <= most ? Status() : TooFew(most, count);
}

Status ValueDecoder::Decode(int32_t encoding, Bytes values, int64_t num_levels,
                            int64_t count, uint8_t* slots,
                            std::vector<Buffer>* buffers) {
  ROWFEED_RETURN_NOT_OK(CheckSize(encoding, std::ssize(values), count));
  if (count == 0) return {};
  if (encoding == PageHeader::kPlain) return DecodePlain(values, count, slots);
  return CatchParquet([&] {
    return DecodeWithArrow(encoding, values, num_levels, count, slots, buffers);
  });
}

Status ValueDecoder::DecodePlain(Bytes values, int64_t count, uint8_t* slots) const {
  if (format_.stored_width == format_.value_width) {
    std::memcpy(slots, values.data(), count * format_.value_width);
    return {};
  }
  switch (format_.physical) {
    case ColumnStorage::kBoolean:
      for (int64_t i = 0; i < count; ++i) slots[i] = (values[i / 8] >> (i % 8)) & 1;
      return {};
    case ColumnStorage::kInt32:
      Narrow<4>(values.data(), count, format_.value_width, slots);
      return {};
    case ColumnStorage::kInt64:
      Narrow<8>(values.data(), count, format_.value_width, slots);
      return {};
    default:
      return DecodePlainBytes(values, count, slots);
  }
}

Status ValueDecoder::DecodePlainBytes(Bytes values, int64_t count,
                                      uint8_t* slots) const {
  auto* views = reinterpret_cast<ByteArray*>(slots);
  const uint8_t* position = values.data();
  const uint8_t* const end = position + values.size();
  for (int64_t i = 0; i < count; ++i) {
    uint32_t size;
    if (end - position < static_cast<int64_t>(sizeof(size))) return TooFew(i, count);
    std::memcpy(&size, position, sizeof(size));
    position += sizeof(size);
    if (end - position < static_cast<int64_t>(size)) return TooFew(i, count);
    views[i] = ByteArray(size, position);
    position += size;
  }
  return {};
}

Status ValueDecoder::DecodeWithArrow(int32_t encoding, Bytes values, int64_t num_levels,
                                     int64_t count, uint8_t* slots,
                                     std::vector<Buffer>* buffers) {
  if (encoding < 0 || encoding >= parquet::Encoding::UNDEFINED) {
    return Status::Unsupported("encoding ", encoding, " of a page is not known");
  }
  const auto type = static_cast<parquet::Encoding::type>(encoding);
  if (decoder_ == nullptr || decoder_->encoding() != type) {
    decoder_ = parquet::MakeDecoder(descriptor_->physical_type(), type,
                                    descriptor_.get(), arrow_pool_->get());
  }
  decoder_->SetData(static_cast<int>(num_levels), values.data(),
                    static_cast<int>(values.size()));
  switch (format_.physical) {
    case ColumnStorage::kBoolean:
      return DecodeNumbers<parquet::BooleanType>(count, slots);
    case ColumnStorage::kInt32:
      return DecodeNumbers<parquet::Int32Type>(count, slots);
    case ColumnStorage::kInt64:
      return DecodeNumbers<parquet::Int64Type>(count, slots);
    case ColumnStorage::kInt96:
      return DecodeNumbers<parquet::Int96Type>(count, slots);
    case ColumnStorage::kFloat:
      return DecodeNumbers<parquet::FloatType>(count, slots);
    case ColumnStorage::kDouble:
      return DecodeNumbers<parquet::DoubleType>(count, slots);
    case ColumnStorage::kByteArray:
      return DecodeBytes(count, slots, buffers);
    default:
      return DecodeBlobs(count, slots);
  }
}

template <typename ParquetType>
Status ValueDecoder::DecodeNumbers(int64_t count, uint8_t* slots) {
  using T = typename ParquetType::c_type;
  auto* decoder = dynamic_cast<parquet::TypedDecoder<ParquetType>*>(decoder_.get());
  const bool is_narrowed = static_cast<int64_t>(sizeof(T)) != format_.value_width;
  uint8_t* values = slots;
  if (is_narrowed) {
    ROWFEED_RETURN_NOT_OK(scratch_.Resize(count * sizeof(T)));
    values = scratch_.data();
  }
  const int found =
      decoder->Decode(reinterpret_cast<T*>(values), static_cast<int>(count));
  if (found != count) return TooFew(found, count);
  if (is_narrowed) Narrow<sizeof(T)>(values, count, format_.value_width, slots);
  return {};
}

Status ValueDecoder::DecodeBytes(int64_t count, uint8_t* slots,
                                 std::vector<Buffer>* buffers) {
  auto* decoder =
      dynamic_cast<parquet::TypedDecoder<parquet::ByteArrayType>*>(decoder_.get());
  auto* views = reinterpret_cast<ByteArray*>(slots);
  const int found = decoder->Decode(views, static_cast<int>(count));
  if (found != count) return TooFew(found, count);
  // The strings lie in the decoder's memory, which the next page reuses: they are
  // copied.
  int64_t size = 0;
  for (int64_t i = 0; i < count; ++i) size += views[i].len;
  bytes_copied_ += size;
  // Encodings that share prefixes can stand for far more bytes than they store.
  if (bytes_copied_ > arrow_pool_->limit()) {
    return Status::Make(StatusCode::kOutOfMemory, "strings of ", bytes_copied_,
                        " bytes in a chunk allowed ", arrow_pool_->limit());
  }
  ROWFEED_ASSIGN_OR_RETURN(Buffer copy, pool_->Allocate(size));
  uint8_t* position = copy.data();
  for (int64_t i = 0; i < count; ++i) {
    if (views[i].len > 0) std::memcpy(position, views[i].ptr, views[i].len);
    views[i].ptr = position;
    position += views[i].len;
  }
  buffers->push_back(std::move(copy));
  return {};
}

Status ValueDecoder::DecodeBlobs(int64_t count, uint8_t* slots) {
  auto* decoder =
      dynamic_cast<parquet::TypedDecoder<parquet::FLBAType>*>(decoder_.get());
  ROWFEED_RETURN_NOT_OK(scratch_.Resize(count * sizeof(parquet::FixedLenByteArray)));
  auto* values = reinterpret_cast<parquet::FixedLenByteArray*>(scratch_.data());
  const int found = decoder->Decode(values, static_cast<int>(count));
  if (found != count) return TooFew(found, count);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(slots + i * format_.value_width, values[i].ptr, format_.value_width);
  }
  return {};
}

}  // namespace rowfeed
