// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/make_slot_format.h"

#include <cstring>

#include "core/catalog/schema/dtypes.h"
#include "core/decode/values/conversion.h"
#include "core/decode/values/make_conversion.h"
#include "parquet/schema.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

int64_t StoredWidth(const ColumnStorage& storage) {
  switch (storage.physical) {
    case ColumnStorage::kInt32:
    case ColumnStorage::kFloat:
      return 4;
    case ColumnStorage::kInt64:
    case ColumnStorage::kDouble:
      return 8;
    case ColumnStorage::kInt96:
      return 12;
    case ColumnStorage::kFixedLenByteArray:
      return storage.type_length;
    default:
      return 0;
  }
}

// Returns the number of bytes of a decoded value of `column`, or 0 if the column cannot
// be stored like this.
int64_t ValueWidth(const Column& column, const ColumnStorage& storage) {
  if (storage.physical == ColumnStorage::kInt96 || storage.is_decimal()) {
    if (!IsConsistent(column, storage)) return 0;
    return storage.physical == ColumnStorage::kByteArray ? sizeof(parquet::ByteArray)
                                                         : StoredWidth(storage);
  }
  const DType dtype = column.dtype;
  const int64_t element_size = ElementSize(dtype);
  switch (storage.physical) {
    case ColumnStorage::kBoolean:
      return dtype == DType::kBool ? 1 : 0;
    case ColumnStorage::kInt32:
      return IsInteger(dtype) && element_size <= 4 ? element_size : 0;
    case ColumnStorage::kInt64:  // also uint32, a type that format version 1 lacked
      return IsInteger(dtype) ? element_size : 0;
    case ColumnStorage::kFloat:
      return dtype == DType::kFloat32 ? 4 : 0;
    case ColumnStorage::kDouble:
      return dtype == DType::kFloat64 ? 8 : 0;
    case ColumnStorage::kByteArray:
      return column.is_bytes() ? sizeof(parquet::ByteArray) : 0;
    case ColumnStorage::kFixedLenByteArray:
      return dtype == DType::kUInt8 || element_size == storage.type_length
                 ? storage.type_length
                 : 0;
    default:
      return 0;
  }
}

}  // namespace

Result<SlotFormat> MakeSlotFormat(const Column& source, const ColumnStorage& storage,
                                  const Column& column,
                                  const StringEncoding& encoding) {
  SlotFormat format;
  format.physical = storage.physical;
  format.stored_width = StoredWidth(storage);
  format.value_width = ValueWidth(source, storage);
  format.is_list = storage.max_repetition_level() > 0;
  const auto num_lists = static_cast<int64_t>(source.list_sizes.size());
  if (format.value_width <= 0 ||
      source.ragged_rank + num_lists != storage.max_repetition_level()) {
    return Status::Unsupported("physical type ", int{storage.physical}, " with ",
                               storage.max_repetition_level(),
                               " levels of lists cannot be read as ",
                               DTypeName(source.dtype));
  }
  ROWFEED_ASSIGN_OR_RETURN(format.conversion,
                           MakeConversion(source, storage, column, encoding));
  format.width = format.value_width;
  if (format.conversion != nullptr) {
    format.width = format.value_width / format.conversion->value_bytes() *
                   format.conversion->element_bytes();
  }
  for (const int64_t size : source.list_sizes) format.slots_per_unit *= size;
  // Batches have room for units of num_elements() elements. Slots that do not add up to
  // that size would be written outside of it.
  if (!format.is_bytes() && format.width * format.slots_per_unit !=
                                source.num_elements() * ElementSize(column.dtype)) {
    return Status::Unsupported(source.logical_type, " cannot be read as ",
                               DTypeName(column.dtype));
  }
  format.slots_per_row = source.ragged_rank > 0 ? 0 : format.slots_per_unit;
  return format;
}

Result<std::string> MakeNullSlot(const SlotFormat& format,
                                 const std::optional<std::string>& fill,
                                 BufferPool* pool, std::vector<Buffer>* buffers) {
  std::string slot(format.width, '\0');
  if (!fill) return slot;
  if (format.is_bytes()) {
    ROWFEED_ASSIGN_OR_RETURN(Buffer copy, pool->Allocate(fill->size()));
    std::memcpy(copy.data(), fill->data(), fill->size());
    const parquet::ByteArray view(static_cast<uint32_t>(fill->size()), copy.data());
    std::memcpy(slot.data(), &view, sizeof(view));
    buffers->push_back(std::move(copy));
    return slot;
  }
  if (fill->empty() || format.width % fill->size() != 0) {
    return Status::Invalid("a fill value of ", fill->size(),
                           " bytes does not fit elements of ", format.width, " bytes");
  }
  for (size_t i = 0; i < slot.size(); ++i) slot[i] = (*fill)[i % fill->size()];
  return slot;
}

std::unique_ptr<parquet::ColumnDescriptor> MakeDescriptor(
    const ColumnStorage& storage) {
  const int length =
      storage.physical == ColumnStorage::kFixedLenByteArray ? storage.type_length : -1;
  auto node = parquet::schema::PrimitiveNode::Make(
      "values", parquet::Repetition::OPTIONAL,
      static_cast<parquet::Type::type>(storage.physical), parquet::ConvertedType::NONE,
      length);
  return std::make_unique<parquet::ColumnDescriptor>(
      std::move(node), storage.max_definition_level, storage.max_repetition_level());
}

}  // namespace rowfeed
