// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_VALUES_STORED_DECIMAL_H_
#define ROWFEED_CORE_DECODE_VALUES_STORED_DECIMAL_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "arrow/util/decimal.h"
#include "core/catalog/schema/column.h"
#include "parquet/types.h"

namespace rowfeed {

// Types that read the unscaled integer of a decimal, one for each way in which Parquet
// stores it. Each gives the size of a stored value (value_bytes), the integer if it
// fits in 64 bits, as nearly all do (Narrow), and the integer in 256 bits (Wide).

template <typename Integer>
class IntegerDecimals {
 public:
  int64_t value_bytes() const { return sizeof(Integer); }
  std::optional<int64_t> Narrow(const uint8_t* value) const {
    Integer integer;
    std::memcpy(&integer, value, sizeof(integer));
    return integer;
  }
  bool IsValid(const uint8_t*) const { return true; }
  arrow::Decimal256 Wide(const uint8_t* value) const { return {*Narrow(value)}; }
};

// An integer of any size in two's complement, the highest byte first.
class BigEndian {
 public:
  BigEndian(const uint8_t* bytes, int64_t size) : bytes_(bytes), size_(size) {}

  bool IsValid() const {
    return size_ >= 1 && size_ <= ColumnStorage::kMaxDecimalBytes;
  }
  std::optional<int64_t> Narrow() const {
    if (!IsValid()) return std::nullopt;
    constexpr int64_t kWord = sizeof(uint64_t);
    uint64_t word = IsNegative() ? ~uint64_t{0} : 0;
    if (size_ <= kWord) {
      for (int64_t i = 0; i < size_; ++i) word = word << 8 | bytes_[i];
      return static_cast<int64_t>(word);
    }
    // The integer fits in the last 8 bytes only if all bytes before repeat their sign.
    const auto sign = static_cast<uint8_t>(word);
    const bool is_narrow = std::all_of(bytes_, bytes_ + size_ - kWord,
                                       [&](uint8_t byte) { return byte == sign; });
    if (!is_narrow || (bytes_[size_ - kWord] ^ sign) >> 7 != 0) return std::nullopt;
    std::memcpy(&word, bytes_ + size_ - kWord, kWord);
    return static_cast<int64_t>(__builtin_bswap64(word));
  }
  arrow::Decimal256 Wide() const {
    return *arrow::Decimal256::FromBigEndian(bytes_, static_cast<int32_t>(size_));
  }

 private:
  bool IsNegative() const { return bytes_[0] >> 7 != 0; }

  const uint8_t* bytes_;
  int64_t size_;
};

class FixedDecimals {
 public:
  explicit FixedDecimals(int64_t size) : size_(size) {}
  int64_t value_bytes() const { return size_; }
  BigEndian Integer(const uint8_t* value) const { return {value, size_}; }
  std::optional<int64_t> Narrow(const uint8_t* value) const {
    return Integer(value).Narrow();
  }
  bool IsValid(const uint8_t*) const { return true; }
  arrow::Decimal256 Wide(const uint8_t* value) const { return Integer(value).Wide(); }

 private:
  int64_t size_;
};

class VariableDecimals {
 public:
  int64_t value_bytes() const { return sizeof(parquet::ByteArray); }
  BigEndian Integer(const uint8_t* value) const {
    parquet::ByteArray view;
    std::memcpy(&view, value, sizeof(view));
    return {view.ptr, view.len};
  }
  std::optional<int64_t> Narrow(const uint8_t* value) const {
    return Integer(value).Narrow();
  }
  // Whether the value has a size that a decimal can have.
  bool IsValid(const uint8_t* value) const { return Integer(value).IsValid(); }
  arrow::Decimal256 Wide(const uint8_t* value) const { return Integer(value).Wide(); }
};

// Calls function(decimals) with an object of the type that reads decimals stored as
// `storage` says.
template <typename Function>
auto WithStoredDecimals(const ColumnStorage& storage, Function&& function) {
  switch (storage.physical) {
    case ColumnStorage::kInt32:
      return function(IntegerDecimals<int32_t>());
    case ColumnStorage::kInt64:
      return function(IntegerDecimals<int64_t>());
    case ColumnStorage::kFixedLenByteArray:
      return function(FixedDecimals(storage.type_length));
    default:
      return function(VariableDecimals());
  }
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_VALUES_STORED_DECIMAL_H_
