// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/pandas_index.h"

#include <algorithm>

#include "arrow/util/key_value_metadata.h"

namespace rowfeed {
namespace {

constexpr std::string_view kKey = "\"index_columns\"";
constexpr std::string_view kMadeName = "__index_level_";
constexpr std::string_view kSpace = " \t\r\n";

// Returns the text after `mark`, if only spaces stand before it; else an empty text.
std::string_view Behind(std::string_view text, char mark) {
  const size_t at = text.find_first_not_of(kSpace);
  if (at == std::string_view::npos || text[at] != mark) return {};
  return text.substr(at + 1);
}

// Whether the name is one that pandas makes, such as "__index_level_0__".
bool IsMade(std::string_view name) {
  if (name.substr(0, kMadeName.size()) != kMadeName) return false;
  name.remove_prefix(kMadeName.size());
  const size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits > 0 && name.substr(digits) == "__";
}

}  // namespace

std::vector<std::string> PandasIndexColumns(std::string_view metadata) {
  const size_t at = metadata.find(kKey);
  if (at == std::string_view::npos) return {};
  std::string_view list = Behind(Behind(metadata.substr(at + kKey.size()), ':'), '[');
  std::vector<std::string> names;
  // The elements are strings, or objects that describe an index that is not stored.
  for (size_t i = 0; i < list.size() && list[i] != ']' && list[i] != '{'; ++i) {
    if (list[i] != '"') continue;
    std::string name;
    for (++i; i < list.size() && list[i] != '"'; ++i) {
      if (list[i] == '\\' && i + 1 < list.size()) ++i;
      name += list[i];
    }
    if (i < list.size()) names.push_back(std::move(name));
  }
  return names;
}

void MarkAddedIndexes(const parquet::FileMetaData& metadata,
                      std::vector<SchemaColumn>* columns) {
  const auto& pairs = metadata.key_value_metadata();
  const int pandas = pairs == nullptr ? -1 : pairs->FindKey("pandas");
  if (pandas < 0) return;
  const std::vector<std::string> names = PandasIndexColumns(pairs->value(pandas));
  for (SchemaColumn& column : *columns) {
    const std::string& name = column.column.name;
    column.column.is_added_index =
        IsMade(name) && std::find(names.begin(), names.end(), name) != names.end();
  }
}

}  // namespace rowfeed
