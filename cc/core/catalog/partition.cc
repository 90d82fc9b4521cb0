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

namespace rowfeed {
namespace {

constexpr std::string_view kNull = "__HIVE_DEFAULT_PARTITION__";

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// What is not a percent sign and two digits stays as it is.
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

void ForEachKey(std::string_view name, const OnKey& on_key) {
  for (size_t slash = name.find('/'); slash != std::string_view::npos;
       slash = name.find('/')) {
    const std::string_view directory = name.substr(0, slash);
    name.remove_prefix(slash + 1);
    const size_t equals = directory.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    std::string key = Decoded(directory.substr(0, equals));
    if (!IsUtf8(key)) continue;
    on_key(std::move(key), directory.substr(equals + 1));
  }
}

std::optional<int64_t> AsInteger(const std::string& text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc() && stop == end && !text.empty();
  return is_number ? std::optional(number) : std::nullopt;
}

Column MakeColumn(const std::string& key, const std::vector<std::string_view>& names) {
  Column column;
  column.name = key;
  column.path = {key};
  column.is_partition = true;
  bool are_integers = true;
  for (const std::string_view name : names) {
    const std::optional<std::string> value = PartitionValue(name, key);
    if (value && !AsInteger(*value)) are_integers = false;
  }
  column.dtype = are_integers ? DType::kInt64 : DType::kString;
  column.logical_type = DTypeName(column.dtype);
  column.storage.physical =
      are_integers ? ColumnStorage::kInt64 : ColumnStorage::kByteArray;
  column.storage.max_definition_level = 1;  // a file that joins later may have none
  return column;
}

}  // namespace

std::optional<std::string> PartitionValue(std::string_view name, std::string_view key) {
  std::optional<std::string> found;
  ForEachKey(name, [&](const std::string& each, std::string_view value) {
    if (each == key && value != kNull) found = Decoded(value);
  });
  return found;
}

std::vector<Column> PartitionColumns(const std::vector<std::string_view>& names) {
  std::vector<std::string> keys;
  for (const std::string_view name : names) {
    ForEachKey(name, [&](std::string key, std::string_view) {
      const bool is_new = std::find(keys.begin(), keys.end(), key) == keys.end();
      if (is_new) keys.push_back(std::move(key));
    });
  }
  std::vector<Column> columns;
  columns.reserve(keys.size());
  for (const std::string& key : keys) columns.push_back(MakeColumn(key, names));
  return columns;
}

Constant ConstantOf(const Column& column, std::string_view name) {
  Constant constant{PartitionValue(name, column.name)};
  if (constant.plain_value && column.dtype == DType::kInt64) {
    const int64_t number = AsInteger(*constant.plain_value).value_or(0);
    constant.plain_value->assign(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return constant;
}

}  // namespace rowfeed
