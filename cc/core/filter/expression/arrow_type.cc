// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/arrow_type.h"

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "arrow/type.h"

namespace rowfeed {
namespace {

using TypePtr = std::shared_ptr<arrow::DataType>;

arrow::TimeUnit::type TimeUnit(std::string_view unit) {
  if (unit == "s") return arrow::TimeUnit::SECOND;
  if (unit == "ms") return arrow::TimeUnit::MILLI;
  return unit == "us" ? arrow::TimeUnit::MICRO : arrow::TimeUnit::NANO;
}

// Returns the time zone in a type name as Arrow prints it, such as "timestamp[us,
// tz=Europe/Paris]"; empty if there is none.
std::string TimeZone(std::string_view type) {
  constexpr std::string_view kKey = "tz=";
  const size_t begin = type.find(kKey);
  if (begin == std::string_view::npos) return {};
  const size_t end = type.find(']', begin);
  return std::string(type.substr(begin + kKey.size(), end - begin - kKey.size()));
}

TypePtr TimeType(const Column& column) {
  const std::string_view type = column.logical_type;
  const auto is = [&](std::string_view name) {
    return type.find(name) != std::string_view::npos;
  };
  const arrow::TimeUnit::type unit = TimeUnit(column.unit);
  if (column.unit == "days") return arrow::date32();
  if (is("duration[")) return arrow::duration(unit);
  if (is("time32[")) return arrow::time32(unit);
  if (is("time64[")) return arrow::time64(unit);
  return arrow::timestamp(unit, TimeZone(type));
}

// Returns a type with the precision of a type name as Arrow prints it, such as
// "decimal128(5, 2)"; nullptr if the name has none. The widest decimal type, so that
// Arrow has room for the values that the column is compared and computed with.
TypePtr DecimalType(const Column& column) {
  const std::string& type = column.logical_type;
  const size_t begin = type.find('(');
  if (begin == std::string::npos) return nullptr;
  int precision = 0;
  const auto read =
      std::from_chars(&type[begin + 1], type.data() + type.size(), precision);
  if (read.ec != std::errc()) return nullptr;
  const auto made =
      arrow::Decimal256Type::Make(precision, column.storage.decimal_scale);
  return made.ok() ? *made : nullptr;
}

TypePtr ValueType(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return arrow::boolean();
    case DType::kInt8:
      return arrow::int8();
    case DType::kInt16:
      return arrow::int16();
    case DType::kInt32:
      return arrow::int32();
    case DType::kInt64:
      return arrow::int64();
    case DType::kUInt8:
      return arrow::uint8();
    case DType::kUInt16:
      return arrow::uint16();
    case DType::kUInt32:
      return arrow::uint32();
    case DType::kUInt64:
      return arrow::uint64();
    case DType::kFloat16:
      return arrow::float16();
    case DType::kFloat32:
      return arrow::float32();
    case DType::kFloat64:
      return arrow::float64();
    case DType::kString:
      return arrow::large_utf8();
    case DType::kBinary:
      return arrow::large_binary();
    case DType::kBFloat16:
      break;
  }
  return nullptr;
}

bool IsFixedBinary(const Column& column) {
  return column.storage.physical == ColumnStorage::kFixedLenByteArray &&
         column.dtype == DType::kUInt8;
}

}  // namespace

Result<TypePtr> FilterType(const Column& column, const char* option) {
  const bool is_list = column.ragged_rank > 0 || !column.list_sizes.empty();
  const bool is_decimal = column.storage.is_decimal();
  const TypePtr decimal = is_decimal ? DecimalType(column) : nullptr;
  if (!column.unsupported.empty() || is_list || (is_decimal && !decimal)) {
    return Status::Unsupported(option, ": column '", column.name, "' is ",
                               column.logical_type, "; a ", option,
                               " takes columns of numbers, strings, "
                               "binaries, dates and times, one value per row");
  }
  if (decimal) return decimal;
  if (!column.unit.empty()) return TimeType(column);
  if (IsFixedBinary(column)) {
    return arrow::fixed_size_binary(column.storage.type_length);
  }
  return ValueType(column.dtype);
}

}  // namespace rowfeed
