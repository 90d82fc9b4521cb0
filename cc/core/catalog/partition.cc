// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/partition.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <system_error>
#include <utility>

#include "arrow/util/utf8.h"
#include "core/catalog/schema/dtypes.h"

namespace rowfeed {
namespace {

constexpr std::string_view kNull = "__HIVE_DEFAULT_PARTITION__";

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Decodes percent-encoded bytes. A percent sign without two hexadecimal digits stays as
// it is.
std::string Decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_code = text[i] == '%' && i + 2 < text.size() &&
                         HexDigit(text[i + 1]) >= 0 && HexDigit(text[i + 2]) >= 0;
    if (is_code) {
      out += static_cast<char>(16 * HexDigit(text[i + 1]) + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool IsUtf8(const std::string& text) {
  static const bool is_ready = (arrow::util::InitializeUTF8(), true);
  return is_ready && arrow::util::ValidateUTF8(text);
}

using OnKey = std::function<void(std::string key, std::string_view value)>;

void ForEachKey(std::string_view partitions, const OnKey& on_key) {
  for (size_t slash = partitions.find('/'); slash != std::string_view::npos;
       slash = partitions.find('/')) {
    const std::string_view directory = partitions.substr(0, slash);
    partitions.remove_prefix(slash + 1);
    const size_t equals = directory.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    std::string key = Decoded(directory.substr(0, equals));
    if (!IsUtf8(key)) continue;
    on_key(std::move(key), directory.substr(equals + 1));
  }
}

// Returns the number that the whole text stands for, which may begin with a plus;
// nullopt if it is none.
template <typename T>
std::optional<T> AsNumber(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc() && stop == end && !text.empty();
  return is_number ? std::optional(number) : std::nullopt;
}

// Returns the integer whose printed form is exactly this text; nullopt if there is
// none.
std::optional<int64_t> AsPrintedInteger(const std::string& text) {
  const auto number = AsNumber<int64_t>(text);
  return number && std::to_string(*number) == text ? number : std::nullopt;
}

std::optional<bool> AsBool(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

template <typename T>
std::optional<std::string> PlainBytes(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(&*value), sizeof *value);
}

// Returns a value in Parquet's plain encoding; nullopt if it does not fit the type.
std::optional<std::string> PlainValue(const std::string& text, PartitionType type) {
  switch (type.dtype) {
    case DType::kInt64:
      return PlainBytes(type.is_given ? AsNumber<int64_t>(text)
                                      : AsPrintedInteger(text));
    case DType::kUInt64:
      return PlainBytes(AsNumber<uint64_t>(text));
    case DType::kFloat64:
      return PlainBytes(AsNumber<double>(text));
    case DType::kBool:
      return PlainBytes(AsBool(text));
    default:
      return text;
  }
}

template <typename T>
bool IsIn(const std::string& text) {
  const auto number = AsNumber<int64_t>(text);
  return number && std::in_range<T>(*number);
}

// Returns whether a value, which fits PartitionDType(dtype), is in the range of
// `dtype`.
bool IsInRange(const std::string& text, DType dtype) {
  switch (dtype) {
    case DType::kInt8:
      return IsIn<int8_t>(text);
    case DType::kInt16:
      return IsIn<int16_t>(text);
    case DType::kInt32:
      return IsIn<int32_t>(text);
    case DType::kUInt8:
      return IsIn<uint8_t>(text);
    case DType::kUInt16:
      return IsIn<uint16_t>(text);
    case DType::kUInt32:
      return IsIn<uint32_t>(text);
    default:
      return true;
  }
}

// Returns what the values of a column are whose dtype is a result of PartitionDType.
std::string KindWord(DType dtype) {
  if (dtype == DType::kInt64) return "integer of 64 bits";
  if (dtype == DType::kFloat64) return "number";
  return DTypeName(dtype);
}

PartitionType TypeOf(const Column& column) {
  return {column.dtype, column.is_type_given};
}

PartitionType GuessType(const std::string& key,
                        const std::vector<std::string_view>& partitions) {
  for (const std::string_view each : partitions) {
    const std::optional<std::string> value = PartitionValue(each, key);
    if (value && !AsPrintedInteger(*value)) return {DType::kString, false};
  }
  return {DType::kInt64, false};
}

// Returns the dtype that the user must give for a column that has this value as well as
// integers.
const char* DTypeToGive(const std::string& text) {
  return AsNumber<double>(text) && !AsNumber<int64_t>(text) ? "float64" : "string";
}

}  // namespace

std::optional<std::string> PartitionValue(std::string_view partitions,
                                          std::string_view key) {
  std::optional<std::string> found;
  ForEachKey(partitions, [&](const std::string& each, std::string_view value) {
    if (each != key) return;
    found = value == kNull ? std::nullopt : std::optional(Decoded(value));
  });
  return found;
}

DType PartitionDType(DType dtype) {
  switch (KindOf(dtype)) {
    case DTypeKind::kInt:
      return DType::kInt64;
    case DTypeKind::kUInt:
      return dtype == DType::kUInt64 ? dtype : DType::kInt64;
    case DTypeKind::kFloat:
      return DType::kFloat64;
    case DTypeKind::kBool:
      return dtype;
    case DTypeKind::kBytes:
      break;
  }
  return DType::kString;
}

Column PartitionColumn(const std::string& key, PartitionType type) {
  Column column;
  column.name = key;
  column.path = {key};
  column.is_partition = true;
  column.is_type_given = type.is_given;
  column.dtype = type.dtype;
  column.logical_type =
      type.dtype == DType::kFloat64 ? "double" : DTypeName(type.dtype);
  column.storage.physical =
      InfoOf(type.dtype).physical.value_or(ColumnStorage::kByteArray);
  column.storage.max_definition_level = 1;  // a later file may have no value
  return column;
}

std::vector<Column> PartitionColumns(const std::vector<std::string_view>& partitions) {
  std::vector<std::string> keys;
  for (const std::string_view each : partitions) {
    ForEachKey(each, [&](std::string key, std::string_view) {
      const bool is_new = std::find(keys.begin(), keys.end(), key) == keys.end();
      if (is_new) keys.push_back(std::move(key));
    });
  }
  std::vector<Column> columns;
  columns.reserve(keys.size());
  for (const std::string& key : keys) {
    columns.push_back(PartitionColumn(key, GuessType(key, partitions)));
  }
  return columns;
}

Constant ConstantOf(const Column& column, std::string_view partitions) {
  const std::optional<std::string> value = PartitionValue(partitions, column.name);
  // Read as if the type was given: catalogs of earlier versions have integers that are
  // not guessed any more.
  return {value ? PlainValue(*value, {column.dtype, true}) : std::nullopt};
}

Status PartitionFits(const Column& column, std::string_view partitions,
                     std::optional<DType> asked) {
  const std::optional<std::string> value = PartitionValue(partitions, column.name);
  if (!value) return {};
  if (PlainValue(*value, TypeOf(column)) && (!asked || IsInRange(*value, *asked))) {
    return {};
  }
  const std::string where = "the value '" + *value + "' of the directories " +
                            std::string(partitions.substr(0, partitions.size() - 1));
  if (column.is_type_given) {
    const std::string kind = asked ? DTypeName(*asked) : KindWord(column.dtype);
    return Status::Invalid(where, " is no ", kind, ", which the dtype of column '",
                           column.name, "' asks for");
  }
  return Status::Invalid(where, " is no ", DTypeName(column.dtype),
                         ", the type of column '", column.name,
                         "' by the directories that were read first: give "
                         "rowfeed.Column('",
                         column.name, "', dtype='", DTypeToGive(*value), "')");
}

}  // namespace rowfeed
