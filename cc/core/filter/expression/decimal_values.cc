// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/decimal_values.h"

#include <cstring>

#include "arrow/type.h"
#include "arrow/util/bit_util.h"
#include "arrow/util/decimal.h"
#include "core/arrow_status.h"
#include "core/decode/values/stored_decimal.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

constexpr int64_t kDecimalBytes = 32;  // size of Arrow's decimal256

template <typename Stored>
Status WriteDecimal(const Stored& stored, const uint8_t* value, int32_t from_scale,
                    int32_t to_scale, uint8_t* out) {
  if (!stored.IsValid(value)) {
    return Status::Corrupt("a decimal must have 1 to ",
                           int64_t{ColumnStorage::kMaxDecimalBytes}, " bytes");
  }
  const arrow::Decimal256 wide = stored.Wide(value);
  if (from_scale == to_scale) {
    wide.ToBytes(out);
    return {};
  }
  const auto rescaled = wide.Rescale(from_scale, to_scale);
  if (!rescaled.ok()) {
    return Status::Invalid(wide.ToString(from_scale), " (decimal) cannot be ",
                           "represented with the ", to_scale,
                           " decimals that the first file has");
  }
  rescaled->ToBytes(out);
  return {};
}

template <typename Stored>
Status WriteDecimals(const Stored& stored, const StoredValues& values,
                     int32_t from_scale, int32_t to_scale, uint8_t* out) {
  for (int64_t i = 0; i < values.size; ++i, out += kDecimalBytes) {
    if (values.validity != nullptr && !arrow::bit_util::GetBit(values.validity, i)) {
      std::memset(out, 0, kDecimalBytes);
      continue;
    }
    const uint8_t* value = values.data + i * stored.value_bytes();
    parquet::ByteArray view;
    if (values.offsets != nullptr) {
      const int64_t begin = values.offsets[i];
      view = {static_cast<uint32_t>(values.offsets[i + 1] - begin),
              values.data + begin};
      value = reinterpret_cast<const uint8_t*>(&view);
    }
    ROWFEED_RETURN_NOT_OK(WriteDecimal(stored, value, from_scale, to_scale, out));
  }
  return {};
}

}  // namespace

Column StoredDecimalColumn(const Column& column, const ColumnStorage& storage) {
  Column stored = column;
  stored.storage = storage;
  stored.storage.decimal_scale = ColumnStorage::kNoDecimal;
  switch (storage.physical) {
    case ColumnStorage::kInt32:
      stored.dtype = DType::kInt32;
      break;
    case ColumnStorage::kInt64:
      stored.dtype = DType::kInt64;
      break;
    case ColumnStorage::kFixedLenByteArray:
      stored.dtype = DType::kUInt8;
      stored.dense_shape = {storage.type_length};
      break;
    default:
      stored.dtype = DType::kBinary;
  }
  return stored;
}

Result<std::shared_ptr<arrow::Buffer>> MakeDecimals(const StoredValues& values,
                                                    const ColumnStorage& storage,
                                                    const arrow::DataType& type) {
  ROWFEED_ARROW_ASSIGN_OR_RETURN(std::shared_ptr<arrow::Buffer> out,
                                 arrow::AllocateBuffer(values.size * kDecimalBytes));
  const int32_t scale = static_cast<const arrow::Decimal256Type&>(type).scale();
  ROWFEED_RETURN_NOT_OK(WithStoredDecimals(storage, [&](const auto& stored) {
    return WriteDecimals(stored, values, storage.decimal_scale, scale,
                         out->mutable_data());
  }));
  return out;
}

}  // namespace rowfeed
