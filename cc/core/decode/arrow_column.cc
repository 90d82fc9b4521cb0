// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "arrow/array.h"
#include "arrow/io/memory.h"
#include "core/arrow_status.h"
#include "core/decode/blocks/make_blocks.h"
#include "core/decode/blocks/slots.h"
#include "core/decode/chunk/memory_pool.h"
#include "core/decode/column_decoder.h"
#include "core/decode/levels/level_reader.h"
#include "core/decode/levels/null_slots.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_opener.h"
#include "core/decode/values/make_slot_format.h"
#include "core/decode/values/value_converter.h"
#include "parquet/column_reader.h"

namespace rowfeed {
namespace {

using parquet::ByteArray;
using parquet::internal::RecordReader;

Status RowCountError(int64_t expected, const char* found) {
  return Status::Corrupt("expected ", expected, " rows by the footer, found ", found,
                         " in the pages");
}

Status TooFew(int64_t found, int64_t expected) {
  return Status::Corrupt("the pages have ", found, " values, expected ", expected);
}

// Calls step(count) until `count` records have passed; returns false if the records end
// before. One step may pass fewer records than it is asked for.
template <typename Step>
bool PassRecords(int64_t count, const Step& step) {
  while (count > 0) {
    const int64_t passed = step(count);
    if (passed == 0) return false;
    count -= passed;
  }
  return true;
}

// Reads the requested rows with Arrow's record reader, and copies them out of its
// memory.
class ArrowColumn {
 public:
  ArrowColumn(const ChunkRequest& request, const SlotFormat& format,
              const std::shared_ptr<BufferPool>& pool)
      : request_(request),
        pool_(pool),
        arrow_pool_(request.chunk),
        descriptor_(MakeDescriptor(*request.storage)),
        levels_(request, pool) {
    slots_.format = format;
  }

  Result<Slots> Read(Bytes chunk) {
    ROWFEED_RETURN_NOT_OK(Open(chunk));
    ROWFEED_RETURN_NOT_OK(ReadRows());
    ROWFEED_ASSIGN_OR_RETURN(const PageLevels levels, ReadLevels());
    ROWFEED_RETURN_NOT_OK(MakeSlots(levels));
    const bool is_to_end = request_.end_row == request_.group_rows;
    if (is_to_end && reader_->SkipRecords(1) != 0) {
      return RowCountError(request_.group_rows, "more");
    }
    return std::move(slots_);
  }

 private:
  const SlotFormat& format() const { return slots_.format; }

  Status Open(Bytes chunk);
  Status ReadRows();
  Result<PageLevels> ReadLevels();
  int64_t RowOfSlot(int64_t slot) const;
  Status MakeSlots(const PageLevels& levels);
  Status CopyValues(int64_t count, uint8_t* out);
  Status CopyNumbers(int64_t count, uint8_t* out);
  Status CopyBytes(int64_t count, uint8_t* out);
  Status CopyBlobs(int64_t count, uint8_t* out);
  arrow::ArrayVector BuilderChunks();

  const ChunkRequest& request_;
  const std::shared_ptr<BufferPool> pool_;
  ChunkMemoryPool arrow_pool_;
  const std::unique_ptr<parquet::ColumnDescriptor> descriptor_;
  LevelReader levels_;
  std::shared_ptr<RecordReader> reader_;
  Slots slots_;
};

Status ArrowColumn::Open(Bytes chunk) {
  const ColumnStorage& storage = *request_.storage;
  ROWFEED_ASSIGN_OR_RETURN(const auto codec, ArrowCodec(request_.chunk.codec));
  parquet::ReaderProperties properties(arrow_pool_.get());
  properties.set_page_checksum_verification(request_.verifies_checksums);
  auto stream = std::make_shared<arrow::io::BufferReader>(
      std::make_shared<arrow::Buffer>(chunk.data(), chunk.size()));
  auto pages = parquet::PageReader::Open(std::move(stream), request_.chunk.num_values,
                                         codec, properties, *descriptor_);
  // The members are set by name, as constructors differ between versions of Arrow.
  parquet::internal::LevelInfo levels;
  levels.def_level = storage.max_definition_level;
  levels.rep_level = storage.max_repetition_level();
  levels.repeated_ancestor_def_level = storage.slot_definition_level();
  reader_ = RecordReader::Make(descriptor_.get(), levels, arrow_pool_.get(),
                               /*read_dictionary=*/false,
                               /*read_dense_for_nullable=*/true);
  reader_->SetPageReader(std::move(pages));
  return {};
}

Status ArrowColumn::ReadRows() {
  const int64_t expected = request_.group_rows;
  if (!format().is_list && request_.chunk.num_values != expected) {
    return RowCountError(expected, "another number");
  }
  const auto skip = [&](int64_t count) { return reader_->SkipRecords(count); };
  const auto read = [&](int64_t count) { return reader_->ReadRecords(count); };
  if (!PassRecords(request_.begin_row, skip) ||
      !PassRecords(request_.end_row - request_.begin_row, read)) {
    return RowCountError(expected, "fewer");
  }
  return {};
}

Result<PageLevels> ArrowColumn::ReadLevels() {
  const int64_t size = request_.end_row - request_.begin_row;
  slots_.first_row = request_.begin_row;
  slots_.num_rows = size;
  if (request_.storage->max_definition_level == 0) {
    slots_.num_slots = size;
    return PageLevels{size, size, nullptr};
  }
  const int64_t num_levels = reader_->levels_position();
  if (!format().is_list) {
    slots_.num_slots = size;
    if (num_levels != size) return TooFew(num_levels, size);
    return levels_.FlatFromLevels(reader_->def_levels(), size, request_.begin_row);
  }
  ROWFEED_RETURN_NOT_OK(levels_.StartsFromLevels(reader_->rep_levels(), num_levels));
  ROWFEED_ASSIGN_OR_RETURN(
      const PageLevels levels,
      levels_.ListsFromLevels(reader_->def_levels(), num_levels, request_.begin_row,
                              /*slots_before=*/0));
  slots_.num_slots = levels.num_slots;
  PooledArray<int64_t>& offsets = levels_.offsets();
  if (offsets.size() != size) return RowCountError(size, "another number");
  ROWFEED_RETURN_NOT_OK(offsets.Reserve(size + 1));
  offsets.Append(levels.num_slots);
  slots_.offsets = offsets.data();
  slots_.buffers.push_back(offsets.Release());
  if (Buffer mask = levels_.ReleaseRowMask()) {
    slots_.mask = mask.data();
    slots_.mask_buffer = std::move(mask);
  }
  ROWFEED_ASSIGN_OR_RETURN(slots_.inner_lists, levels_.FinishInnerLists());
  return levels;
}

int64_t ArrowColumn::RowOfSlot(int64_t slot) const {
  return request_.begin_row + (slots_.offsets == nullptr
                                   ? slot
                                   : FindRow(slots_.offsets, slots_.num_rows, slot));
}

Status ArrowColumn::MakeSlots(const PageLevels& levels) {
  PooledArray<uint8_t> slots(pool_);
  ROWFEED_RETURN_NOT_OK(slots.Resize(levels.num_slots * format().width));
  uint8_t* out = slots.data();
  if (format().conversion == nullptr) {
    ROWFEED_RETURN_NOT_OK(CopyValues(levels.num_present, out));
  } else {
    PooledArray<uint8_t> values(pool_);
    ROWFEED_RETURN_NOT_OK(values.Resize(levels.num_present * format().value_width));
    ROWFEED_RETURN_NOT_OK(CopyValues(levels.num_present, values.data()));
    const ValueConverter converter(request_, format());
    ROWFEED_RETURN_NOT_OK(converter.Convert(
        values.data(), levels, [this](int64_t slot) { return RowOfSlot(slot); }, out));
  }
  ROWFEED_ASSIGN_OR_RETURN(
      const std::string null_slot,
      MakeNullSlot(format(), *request_.fill, pool_.get(), &slots_.buffers));
  SpreadOverNulls(levels, request_.storage->max_definition_level, format().width,
                  null_slot.data(), out);
  slots_.segments.push_back({out, 0, levels.num_slots});
  slots_.buffers.push_back(slots.Release());
  if (!request_.masks_slots()) return {};
  PooledArray<uint8_t> mask(pool_);
  ROWFEED_RETURN_NOT_OK(
      AppendMask(levels, request_.storage->max_definition_level, &mask));
  slots_.mask = mask.data();
  slots_.mask_buffer = mask.Release();
  return {};
}

Status ArrowColumn::CopyValues(int64_t count, uint8_t* out) {
  switch (format().physical) {
    case ColumnStorage::kByteArray:
      return CopyBytes(count, out);
    case ColumnStorage::kFixedLenByteArray:
      return CopyBlobs(count, out);
    default:
      return CopyNumbers(count, out);
  }
}

Status ArrowColumn::CopyNumbers(int64_t count, uint8_t* out) {
  if (reader_->values_written() != count) {
    return TooFew(reader_->values_written(), count);
  }
  const bool is_bool = format().physical == ColumnStorage::kBoolean;
  const int64_t stride = is_bool ? sizeof(bool) : format().stored_width;
  for (int64_t i = 0; i < count; ++i) {  // keeps the low bytes of integers
    std::memcpy(out + i * format().value_width, reader_->values() + i * stride,
                format().value_width);
  }
  return {};
}

arrow::ArrayVector ArrowColumn::BuilderChunks() {
  return dynamic_cast<parquet::internal::BinaryRecordReader&>(*reader_)
      .GetBuilderChunks();
}

Status ArrowColumn::CopyBytes(int64_t count, uint8_t* out) {
  auto* views = reinterpret_cast<ByteArray*>(out);
  int64_t found = 0;
  for (const auto& chunk : BuilderChunks()) {
    const auto& array = static_cast<const arrow::BinaryArray&>(*chunk);
    if (found + array.length() > count) return TooFew(found + array.length(), count);
    const int64_t size = array.total_values_length();
    ROWFEED_ASSIGN_OR_RETURN(Buffer copy, pool_->Allocate(size));
    if (size > 0) {
      std::memcpy(copy.data(), array.raw_data() + array.value_offset(0), size);
    }
    for (int64_t i = 0; i < array.length(); ++i) {
      views[found++] =
          ByteArray(array.value_length(i),
                    copy.data() + (array.value_offset(i) - array.value_offset(0)));
    }
    slots_.buffers.push_back(std::move(copy));
  }
  return found == count ? Status() : TooFew(found, count);
}

Status ArrowColumn::CopyBlobs(int64_t count, uint8_t* out) {
  int64_t found = 0;
  for (const auto& chunk : BuilderChunks()) {
    const auto& array = static_cast<const arrow::FixedSizeBinaryArray&>(*chunk);
    if (found + array.length() > count) return TooFew(found + array.length(), count);
    if (array.length() == 0) continue;
    std::memcpy(out + found * format().value_width, array.raw_values(),
                array.length() * format().value_width);
    found += array.length();
  }
  return found == count ? Status() : TooFew(found, count);
}

}  // namespace

Result<PartBlocks> DecodeColumnWithArrow(const ChunkRequest& request,
                                         const std::shared_ptr<BufferPool>& pool) {
  return CatchParquet([&]() -> Result<PartBlocks> {
    ROWFEED_ASSIGN_OR_RETURN(const SlotFormat format,
                             MakeSlotFormat(*request.source, *request.storage,
                                            *request.column, request.encoding));
    ROWFEED_ASSIGN_OR_RETURN(ChunkReader reader, ChunkReader::Open(request, pool));
    ROWFEED_ASSIGN_OR_RETURN(const Bytes chunk, reader.Load(0, reader.size()));
    ArrowColumn column(request, format, pool);
    ROWFEED_ASSIGN_OR_RETURN(Slots slots, column.Read(chunk));
    return MakeBlocks(std::move(slots), request, pool);
  });
}

}  // namespace rowfeed
