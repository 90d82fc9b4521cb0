// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/element_type.h"

#include "arrow/extension_type.h"

namespace rowfeed {
namespace {

using arrow::Type;

const char* UnitName(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return "s";
    case arrow::TimeUnit::MILLI:
      return "ms";
    case arrow::TimeUnit::MICRO:
      return "us";
    case arrow::TimeUnit::NANO:
      return "ns";
  }
  return "";
}

Element TimeElement(arrow::TimeUnit::type unit, bool wide) {
  return {wide ? DType::kInt64 : DType::kInt32, UnitName(unit)};
}

std::optional<Element> TimeElementOf(const arrow::DataType& type) {
  switch (type.id()) {
    case Type::DATE32:
    case Type::DATE64:  // Parquet stores all dates as days
      return Element{DType::kInt32, "days"};
    case Type::TIME32:
      return TimeElement(static_cast<const arrow::Time32Type&>(type).unit(), false);
    case Type::TIME64:
      return TimeElement(static_cast<const arrow::Time64Type&>(type).unit(), true);
    case Type::DURATION:
      return TimeElement(static_cast<const arrow::DurationType&>(type).unit(), true);
    case Type::TIMESTAMP:
      return TimeElement(static_cast<const arrow::TimestampType&>(type).unit(), true);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Element> ElementOf(const arrow::DataType& type) {
  const auto plain = [](DType dtype) { return Element{dtype, ""}; };
  switch (type.id()) {
    case Type::BOOL:
      return plain(DType::kBool);
    case Type::INT8:
      return plain(DType::kInt8);
    case Type::INT16:
      return plain(DType::kInt16);
    case Type::INT32:
      return plain(DType::kInt32);
    case Type::INT64:
      return plain(DType::kInt64);
    case Type::UINT8:
      return plain(DType::kUInt8);
    case Type::UINT16:
      return plain(DType::kUInt16);
    case Type::UINT32:
      return plain(DType::kUInt32);
    case Type::UINT64:
      return plain(DType::kUInt64);
    case Type::HALF_FLOAT:
      return plain(DType::kFloat16);
    case Type::FLOAT:
      return plain(DType::kFloat32);
    case Type::DOUBLE:
      return plain(DType::kFloat64);
    case Type::STRING:
    case Type::LARGE_STRING:
    case Type::STRING_VIEW:
      return plain(DType::kString);
    case Type::BINARY:
    case Type::LARGE_BINARY:
    case Type::BINARY_VIEW:
      return plain(DType::kBinary);
    case Type::DECIMAL32:
    case Type::DECIMAL64:
    case Type::DECIMAL128:
    // Decimals of any precision and scale have the same element: files may differ in
    // them.
    case Type::DECIMAL256:
      return Element{DType::kFloat64, ""};
    default:
      return TimeElementOf(type);
  }
}

std::shared_ptr<arrow::DataType> ValueType(std::shared_ptr<arrow::DataType> type) {
  while (true) {
    if (type->id() == Type::EXTENSION) {
      type = static_cast<const arrow::ExtensionType&>(*type).storage_type();
    } else if (type->id() == Type::DICTIONARY) {
      type = static_cast<const arrow::DictionaryType&>(*type).value_type();
    } else {
      return type;
    }
  }
}

std::string PluralOf(const arrow::DataType& type) {
  switch (type.id()) {
    case Type::STRUCT:
      return "structs";
    case Type::MAP:
      return "maps";
    case Type::LIST:
    case Type::LARGE_LIST:
    case Type::LIST_VIEW:
    case Type::LARGE_LIST_VIEW:
    case Type::FIXED_SIZE_LIST:
      return "lists";
    case Type::NA:
      return "nulls without a type";
    case Type::STRING:
    case Type::LARGE_STRING:
    case Type::STRING_VIEW:
      return "strings";
    case Type::BINARY:
    case Type::LARGE_BINARY:
    case Type::BINARY_VIEW:
      return "binaries";
    case Type::FIXED_SIZE_BINARY:
      return "fixed-size binaries";
    default:
      return "values of type " + type.ToString();
  }
}

}  // namespace rowfeed
