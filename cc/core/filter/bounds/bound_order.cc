// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/bound_order.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "arrow/util/float16.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

template <typename T>
std::optional<T> ReadAs(const std::string& bound) {
  T value{};
  if (bound.size() != sizeof value) return std::nullopt;
  std::memcpy(&value, bound.data(), sizeof value);
  return value;
}

// Returns 10^precision - 1, or the greatest int64 if that is less.
int64_t GreatestDecimal(int32_t precision) {
  constexpr int32_t kMaxDigits = 18;
  constexpr int64_t kTen = 10;
  if (precision > kMaxDigits) return std::numeric_limits<int64_t>::max();
  int64_t power = 1;
  for (int32_t i = 0; i < precision; ++i) power *= kTen;
  return power - 1;
}

}  // namespace

BoundOrder::BoundOrder(const parquet::ColumnDescriptor& column)
    : physical_(column.physical_type()),
      type_length_(column.type_length()),
      is_decimal_(column.logical_type()->is_decimal()),
      is_half_(column.logical_type()->is_float16()),
      is_defined_(column.sort_order() != parquet::SortOrder::UNKNOWN &&
                  column.column_order().get_order() ==
                      parquet::ColumnOrder::TYPE_DEFINED_ORDER),
      least_(std::numeric_limits<int64_t>::min()),
      greatest_(std::numeric_limits<int64_t>::max()) {
  const auto& type = column.logical_type();
  if (type->is_int()) {
    const auto& number = static_cast<const parquet::IntLogicalType&>(*type);
    is_unsigned_ = !number.is_signed();
    constexpr int kAllBits = 64;
    if (number.bit_width() == kAllBits) return;
    const int64_t size = int64_t{1} << number.bit_width();
    least_ = is_unsigned_ ? 0 : -size / 2;
    greatest_ = is_unsigned_ ? size - 1 : size / 2 - 1;
  } else if (is_decimal_) {
    greatest_ = GreatestDecimal(column.type_precision());
    least_ = -greatest_;
  }
}

bool BoundOrder::may_be_cut() const {
  return physical_ == parquet::Type::BYTE_ARRAY && !is_decimal_;
}

std::optional<BoundOrder::Key> BoundOrder::IntegerOf(int64_t value) const {
  if (value < least_ || value > greatest_) return std::nullopt;
  return value;
}

std::optional<BoundOrder::Key> BoundOrder::BytesOf(const std::string& bound) const {
  if (physical_ == parquet::Type::FIXED_LEN_BYTE_ARRAY &&
      bound.size() != static_cast<size_t>(type_length_)) {
    return std::nullopt;
  }
  if (is_half_) {
    const auto bits = ReadAs<uint16_t>(bound);
    if (!bits) return std::nullopt;
    return arrow::util::Float16::FromBits(*bits).ToDouble();
  }
  if (!is_decimal_) return bound;
  // Numbers in two's complement, the highest byte first. Extended to the same width and
  // with the sign bit inverted, they compare like bytes.
  constexpr size_t kWidth = 32;
  if (bound.empty() || bound.size() > kWidth) return std::nullopt;
  constexpr uint8_t kSign = 0x80;
  const bool is_negative = (static_cast<uint8_t>(bound[0]) & kSign) != 0;
  std::string wide(kWidth - bound.size(), is_negative ? '\xff' : '\0');
  wide += bound;
  wide[0] = static_cast<char>(static_cast<uint8_t>(wide[0]) ^ kSign);
  return wide;
}

std::optional<BoundOrder::Key> BoundOrder::KeyOf(const std::string& bound) const {
  switch (physical_) {
    case parquet::Type::BOOLEAN:
      if (bound.size() != 1 || static_cast<uint8_t>(bound[0]) > 1) return std::nullopt;
      return int64_t{bound[0]};
    case parquet::Type::INT32: {
      const auto value = ReadAs<int32_t>(bound);
      if (!value) return std::nullopt;
      return IntegerOf(is_unsigned_ ? int64_t{static_cast<uint32_t>(*value)}
                                    : int64_t{*value});
    }
    case parquet::Type::INT64: {
      const auto value = ReadAs<int64_t>(bound);
      if (!value) return std::nullopt;
      // Inverting the sign bit keeps the order of unsigned numbers in a signed
      // comparison.
      return is_unsigned_ ? *value ^ std::numeric_limits<int64_t>::min()
                          : IntegerOf(*value);
    }
    case parquet::Type::FLOAT: {
      const auto value = ReadAs<float>(bound);
      return value ? std::optional<Key>(double{*value}) : std::nullopt;
    }
    case parquet::Type::DOUBLE: {
      const auto value = ReadAs<double>(bound);
      return value ? std::optional<Key>(*value) : std::nullopt;
    }
    case parquet::Type::BYTE_ARRAY:
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return BytesOf(bound);
    default:  // INT96 and unknown types have no order
      return std::nullopt;
  }
}

bool BoundOrder::IsNaN(const Key& key) {
  const auto* number = std::get_if<double>(&key);
  return number != nullptr && std::isnan(*number);
}

}  // namespace rowfeed
