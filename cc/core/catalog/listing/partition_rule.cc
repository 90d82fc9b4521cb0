// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/partition_rule.h"

#include <filesystem>
#include <system_error>

namespace rowfeed {
namespace {

bool IsPartition(std::string_view directory) {
  const size_t equals = directory.find('=');
  return equals != std::string_view::npos && equals > 0;
}

// Returns the path without `.`, `..` and a slash at the end.
std::string Normal(const std::string& path, bool is_local) {
  std::filesystem::path full = path;
  std::error_code error;
  if (is_local) full = std::filesystem::absolute(full, error);
  std::string normal = full.lexically_normal().string();
  if (normal == ".") normal.clear();
  if (!normal.empty() && normal.back() == '/') normal.pop_back();
  return normal;
}

}  // namespace

std::string PartitionsIn(std::string_view path) {
  std::string found;
  for (size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    if (IsPartition(path.substr(0, slash))) found.append(path.substr(0, slash + 1));
    path.remove_prefix(slash + 1);
  }
  return found;
}

std::string PartitionsAtEnd(std::string_view directory) {
  while (directory.ends_with('/')) directory.remove_suffix(1);
  size_t begin = directory.size();
  while (begin > 0) {
    const size_t end = begin == directory.size() ? begin : begin - 1;
    const size_t slash = directory.substr(0, end).rfind('/');
    const size_t first = slash == std::string_view::npos ? 0 : slash + 1;
    if (!IsPartition(directory.substr(first, end - first))) break;
    begin = first;
  }
  if (begin == directory.size()) return "";
  return std::string(directory.substr(begin)).append("/");
}

std::optional<std::string> PathBelow(const std::string& path, const std::string& base,
                                     bool are_local) {
  const std::string normal = Normal(path, are_local);
  const std::string above = Normal(base, are_local);
  // Below the root "/" of local paths, only the slash is cut off.
  if (above.empty()) return are_local ? normal.substr(1) : normal;
  const bool is_below = normal.size() > above.size() && normal.starts_with(above) &&
                        normal[above.size()] == '/';
  if (!is_below) return std::nullopt;
  return normal.substr(above.size() + 1);
}

}  // namespace rowfeed
