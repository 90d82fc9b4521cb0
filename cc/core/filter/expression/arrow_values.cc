// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/arrow_values.h"

#include <numeric>
#include <utility>
#include <vector>

#include "arrow/array.h"
#include "arrow/buffer.h"
#include "arrow/buffer_builder.h"
#include "arrow/type.h"
#include "core/arrow_status.h"
#include "core/decode/values/stored_decimal.h"
#include "core/filter/expression/decimal_values.h"

namespace rowfeed {
namespace {

using BufferPtr = std::shared_ptr<arrow::Buffer>;

// Copies rows [begin, end) of a block, side by side.
Result<BufferPtr> CopyRows(const FixedBlock& block, int64_t row_bytes, int64_t begin,
                           int64_t end) {
  const int64_t size = end - begin;
  ROWFEED_ARROW_ASSIGN_OR_RETURN(BufferPtr out,
                                 arrow::AllocateBuffer(size * row_bytes));
  std::vector<uint32_t> rows(size);
  std::vector<uint32_t> slots(size);
  std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(begin));
  std::iota(slots.begin(), slots.end(), 0U);
  ROWFEED_RETURN_NOT_OK(
      block.Gather({rows.data(), slots.data(), size}, out->mutable_data()));
  return out;
}

// Copies rows of one byte each as bits: 0 for a byte that is 0, else 1.
Result<BufferPtr> CopyBits(const FixedBlock& block, int64_t begin, int64_t end) {
  ROWFEED_ASSIGN_OR_RETURN(const BufferPtr bytes, CopyRows(block, 1, begin, end));
  arrow::TypedBufferBuilder<bool> bits;
  ROWFEED_ARROW_RETURN_NOT_OK(bits.Append(bytes->data(), bytes->size()));
  ROWFEED_ARROW_ASSIGN_OR_RETURN(BufferPtr out, bits.Finish());
  return out;
}

struct Strings {
  BufferPtr offsets;
  BufferPtr bytes;
};

Result<Strings> CopyStrings(const VariableBlock& block, int64_t begin, int64_t end) {
  const int64_t size = end - begin;
  std::vector<uint32_t> slots(size);
  std::iota(slots.begin(), slots.end(), 0U);
  const RowRun run{begin, slots.data(), size};
  std::vector<int64_t> offsets(size + 1, 0);
  block.Lengths(run, offsets.data() + 1);
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  Strings strings;
  ROWFEED_ARROW_ASSIGN_OR_RETURN(strings.bytes, arrow::AllocateBuffer(offsets.back()));
  ROWFEED_RETURN_NOT_OK(
      block.Gather(run, offsets.data(), strings.bytes->mutable_data()));
  strings.offsets = arrow::Buffer::FromVector(std::move(offsets));
  return strings;
}

}  // namespace

Result<ArrowValues> ArrowValues::Decode(ChunkRequest request,
                                        std::shared_ptr<arrow::DataType> type,
                                        const std::shared_ptr<BufferPool>& pool) {
  const std::optional<std::string> no_fill;
  request.fill = &no_fill;
  const bool has_mask = request.storage->max_definition_level > 0;
  request.mask = has_mask ? Mask::kRows : Mask::kNone;
  const ColumnStorage& storage = *request.storage;
  Column stored;
  if (storage.is_decimal()) {
    stored = StoredDecimalColumn(*request.source, storage);
    request.source = request.column = &stored;
    request.storage = &stored.storage;
  }
  ROWFEED_ASSIGN_OR_RETURN(PartBlocks blocks, DecodeColumn(request, pool));
  return ArrowValues(std::move(type), storage, std::move(blocks), has_mask);
}

Result<std::shared_ptr<arrow::Array>> ArrowValues::Slice(int64_t begin,
                                                         int64_t end) const {
  const int64_t size = end - begin;
  BufferPtr validity;
  if (has_mask_) {
    ROWFEED_ASSIGN_OR_RETURN(
        validity,
        CopyBits(static_cast<const FixedBlock&>(*blocks_.back()), begin, end));
  }
  std::vector<BufferPtr> buffers{std::move(validity)};
  if (arrow::is_decimal(type_->id())) {
    ROWFEED_ASSIGN_OR_RETURN(
        BufferPtr decimals,
        SliceDecimals(begin, end, buffers[0] ? buffers[0]->data() : nullptr));
    buffers.push_back(std::move(decimals));
  } else if (arrow::is_large_binary_like(type_->id())) {
    ROWFEED_ASSIGN_OR_RETURN(
        Strings strings,
        CopyStrings(static_cast<const VariableBlock&>(*blocks_.front()), begin, end));
    buffers.push_back(std::move(strings.offsets));
    buffers.push_back(std::move(strings.bytes));
  } else {
    const auto& values = static_cast<const FixedBlock&>(*blocks_.front());
    auto copied = type_->id() == arrow::Type::BOOL
                      ? CopyBits(values, begin, end)
                      : CopyRows(values, type_->byte_width(), begin, end);
    ROWFEED_ASSIGN_OR_RETURN(BufferPtr data, std::move(copied));
    buffers.push_back(std::move(data));
  }
  return arrow::MakeArray(arrow::ArrayData::Make(type_, size, std::move(buffers)));
}

Result<BufferPtr> ArrowValues::SliceDecimals(int64_t begin, int64_t end,
                                             const uint8_t* validity) const {
  StoredValues values{nullptr, nullptr, validity, end - begin};
  if (storage_.physical == ColumnStorage::kByteArray) {
    ROWFEED_ASSIGN_OR_RETURN(
        const Strings strings,
        CopyStrings(static_cast<const VariableBlock&>(*blocks_.front()), begin, end));
    values.data = strings.bytes->data();
    values.offsets = reinterpret_cast<const int64_t*>(strings.offsets->data());
    return MakeDecimals(values, storage_, *type_);
  }
  const int64_t row_bytes = WithStoredDecimals(
      storage_, [](const auto& decimals) { return decimals.value_bytes(); });
  ROWFEED_ASSIGN_OR_RETURN(const BufferPtr rows,
                           CopyRows(static_cast<const FixedBlock&>(*blocks_.front()),
                                    row_bytes, begin, end));
  values.data = rows->data();
  return MakeDecimals(values, storage_, *type_);
}

}  // namespace rowfeed
