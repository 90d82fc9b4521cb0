// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/schema/column_errors.h"

#include <algorithm>
#include <cstddef>

namespace rowfeed {

Status UnknownColumn(const std::string& name, const std::vector<Column>& columns) {
  constexpr size_t kMaxShown = 20;
  std::string message = "there is no column '" + name + "'; ";
  message += columns.empty() ? "there are no columns at all" : "the columns are ";
  for (size_t c = 0; c < std::min(columns.size(), kMaxShown); ++c) {
    message += (c == 0 ? "'" : ", '") + columns[c].name + "'";
  }
  if (columns.size() > kMaxShown) {
    message += " and " + std::to_string(columns.size() - kMaxShown) + " more";
  }
  return {StatusCode::kKey, std::move(message)};
}

Status UnsupportedColumn(const Column& column, const std::vector<Column>& columns) {
  return Status::Unsupported("column '", column.name, "' (", column.logical_type,
                             "): ", column.unsupported, HintAtBytes(column, columns));
}

std::string HintAtBytes(const Column& column, const std::vector<Column>& columns) {
  if (column.path.size() < 2 || column.path.back() != "path") return "";
  std::vector<std::string> path = column.path;
  path.back() = "bytes";
  for (const Column& other : columns) {
    if (other.path == path && other.unsupported.empty() && other.is_bytes()) {
      return "; the contents of the file are in column '" + other.name + "'";
    }
  }
  return "";
}

}  // namespace rowfeed
