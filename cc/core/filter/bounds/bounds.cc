// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/bounds.h"

#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/scalar.h"
#include "arrow/type.h"
#include "arrow/util/decimal.h"

namespace rowfeed {
namespace {

using arrow::Type;
using arrow::compute::Expression;
using ScalarPtr = std::shared_ptr<arrow::Scalar>;

// Reads a number as Parquet stores it, and converts it to a type of at most that width.
// nullptr if the size is wrong, or for NaN, which is no bound.
template <typename Stored, typename ArrowType>
ScalarPtr ReadNumber(const std::string& bytes,
                     const std::shared_ptr<arrow::DataType>& type) {
  Stored value{};
  if (bytes.size() != sizeof value) return nullptr;
  std::memcpy(&value, bytes.data(), sizeof value);
  if constexpr (std::is_floating_point_v<Stored>) {
    if (std::isnan(value)) return nullptr;
  }
  using CType = typename ArrowType::c_type;
  return std::make_shared<typename arrow::TypeTraits<ArrowType>::ScalarType>(
      static_cast<CType>(value), type);
}

// Reads a decimal that is stored as an integer.
ScalarPtr ReadDecimal(const std::string& bytes,
                      const std::shared_ptr<arrow::DataType>& type) {
  int64_t value = 0;
  if (bytes.size() == sizeof(int32_t)) {
    int32_t narrow = 0;
    std::memcpy(&narrow, bytes.data(), sizeof narrow);
    value = narrow;
  } else if (bytes.size() == sizeof value) {
    std::memcpy(&value, bytes.data(), sizeof value);
  } else {
    return nullptr;
  }
  return std::make_shared<arrow::Decimal256Scalar>(arrow::Decimal256(value), type);
}

ScalarPtr ReadScalar(const std::string& bytes,
                     const std::shared_ptr<arrow::DataType>& type) {
  switch (type->id()) {
    case Type::BOOL:
      return bytes.size() == 1 ? std::make_shared<arrow::BooleanScalar>(bytes[0] != 0)
                               : nullptr;
    case Type::INT8:
      return ReadNumber<int32_t, arrow::Int8Type>(bytes, type);
    case Type::INT16:
      return ReadNumber<int32_t, arrow::Int16Type>(bytes, type);
    case Type::INT32:
      return ReadNumber<int32_t, arrow::Int32Type>(bytes, type);
    case Type::INT64:
      return ReadNumber<int64_t, arrow::Int64Type>(bytes, type);
    case Type::UINT8:
      return ReadNumber<uint32_t, arrow::UInt8Type>(bytes, type);
    case Type::UINT16:
      return ReadNumber<uint32_t, arrow::UInt16Type>(bytes, type);
    case Type::UINT32:
      return ReadNumber<uint32_t, arrow::UInt32Type>(bytes, type);
    case Type::UINT64:
      return ReadNumber<uint64_t, arrow::UInt64Type>(bytes, type);
    case Type::FLOAT:
      return ReadNumber<float, arrow::FloatType>(bytes, type);
    case Type::DOUBLE:
      return ReadNumber<double, arrow::DoubleType>(bytes, type);
    case Type::DATE32:
      return ReadNumber<int32_t, arrow::Date32Type>(bytes, type);
    case Type::TIME32:
      return ReadNumber<int32_t, arrow::Time32Type>(bytes, type);
    case Type::TIME64:
      return ReadNumber<int64_t, arrow::Time64Type>(bytes, type);
    case Type::TIMESTAMP:
      return ReadNumber<int64_t, arrow::TimestampType>(bytes, type);
    case Type::DURATION:
      return ReadNumber<int64_t, arrow::DurationType>(bytes, type);
    case Type::LARGE_STRING:
      return std::make_shared<arrow::LargeStringScalar>(bytes);
    case Type::LARGE_BINARY:
      return std::make_shared<arrow::LargeBinaryScalar>(bytes);
    case Type::DECIMAL256:
      return ReadDecimal(bytes, type);
    default:
      return nullptr;
  }
}

// Whether decimals are stored as integers, with the scale of `type`. For decimals that
// are stored as bytes, writers disagree about which value is the least.
bool AreIntegers(const parquet::ColumnDescriptor& column,
                 const arrow::DecimalType& type) {
  const bool is_integer = column.physical_type() == parquet::Type::INT32 ||
                          column.physical_type() == parquet::Type::INT64;
  return is_integer && column.type_scale() == type.scale();
}

bool IsStoredAs(const parquet::ColumnDescriptor& column, arrow::TimeUnit::type unit) {
  using parquet::LogicalType;
  const auto& logical = column.logical_type();
  LogicalType::TimeUnit::unit stored = LogicalType::TimeUnit::UNKNOWN;
  if (logical->is_timestamp()) {
    stored = static_cast<const parquet::TimestampLogicalType&>(*logical).time_unit();
  } else if (logical->is_time()) {
    stored = static_cast<const parquet::TimeLogicalType&>(*logical).time_unit();
  }
  switch (unit) {
    case arrow::TimeUnit::MILLI:
      return stored == LogicalType::TimeUnit::MILLIS;
    case arrow::TimeUnit::MICRO:
      return stored == LogicalType::TimeUnit::MICROS;
    case arrow::TimeUnit::NANO:
      return stored == LogicalType::TimeUnit::NANOS;
    case arrow::TimeUnit::SECOND:  // Parquet has no such unit
      return false;
  }
  return false;
}

// Returns the least string that is greater than all strings that begin with `bytes`;
// nullopt if there is none.
std::optional<std::string> BehindAllThatBeginWith(std::string bytes) {
  constexpr char kLast = '\xff';
  while (!bytes.empty() && bytes.back() == kLast) bytes.pop_back();
  if (bytes.empty()) return std::nullopt;
  ++bytes.back();
  return bytes;
}

}  // namespace

bool HasBounds(const parquet::ColumnDescriptor& column, const arrow::DataType& type) {
  if (column.physical_type() == parquet::Type::INT96) return false;
  switch (type.id()) {
    case Type::TIMESTAMP:
      return IsStoredAs(column, static_cast<const arrow::TimestampType&>(type).unit());
    case Type::TIME32:
    case Type::TIME64:
      return IsStoredAs(column, static_cast<const arrow::TimeType&>(type).unit());
    case Type::DECIMAL256:
      return AreIntegers(column, static_cast<const arrow::DecimalType&>(type));
    case Type::HALF_FLOAT:
    case Type::FIXED_SIZE_BINARY:
      return false;
    default:
      return true;
  }
}

std::optional<ScalarBounds> BoundsAsScalars(const arrow::Field& field,
                                            const Bounds& bounds) {
  if (!bounds.min || !bounds.max) return std::nullopt;
  ScalarBounds scalars;
  scalars.min = ReadScalar(*bounds.min, field.type());
  scalars.max = ReadScalar(*bounds.max, field.type());
  if (!scalars.min || !scalars.max) return std::nullopt;
  if (!bounds.max_may_be_cut) return scalars;
  const auto behind = BehindAllThatBeginWith(*bounds.max);
  scalars.max = behind ? ReadScalar(*behind, field.type()) : nullptr;
  scalars.max_is_excluded = true;
  return scalars;
}

Expression GuaranteeOf(const arrow::Field& field, const Bounds& bounds) {
  using arrow::compute::literal;
  const Expression name = arrow::compute::field_ref(field.name());
  if (bounds.num_nulls && *bounds.num_nulls == bounds.num_values) {
    return arrow::compute::is_null(name);
  }
  const auto scalars = BoundsAsScalars(field, bounds);
  if (!scalars) return literal(true);
  Expression above = arrow::compute::greater_equal(name, literal(scalars->min));
  Expression below = !scalars->max ? literal(true)
                     : scalars->max_is_excluded
                         ? arrow::compute::less(name, literal(scalars->max))
                         : arrow::compute::less_equal(name, literal(scalars->max));
  if (!bounds.num_nulls || *bounds.num_nulls > 0) {
    // `or is null` is added to each of the two: Arrow can use "comparison or null" as a
    // guarantee, but not "conjunction or null".
    above = arrow::compute::or_(std::move(above), arrow::compute::is_null(name));
    below = arrow::compute::or_(std::move(below), arrow::compute::is_null(name));
  }
  return arrow::compute::and_(std::move(above), std::move(below));
}

Expression GuaranteeOfConstant(const arrow::Field& field, const Bounds& bounds) {
  const auto scalars = BoundsAsScalars(field, bounds);
  // NaN equals nothing, and the two zeros equal each other.
  if (!scalars || arrow::is_floating(field.type()->id()))
    return GuaranteeOf(field, bounds);
  return arrow::compute::equal(arrow::compute::field_ref(field.name()),
                               arrow::compute::literal(scalars->min));
}

}  // namespace rowfeed
