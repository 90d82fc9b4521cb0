// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/table_above.h"

#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/catalog/listing/directory.h"
#include "core/catalog/listing/table_format.h"

namespace rowfeed {
namespace {

// Splits a path into the directory above and the last name.
std::pair<std::string, std::string> Split(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {"", path};
  return {path.substr(0, slash == 0 ? 1 : slash), path.substr(slash + 1)};
}

// Whether a directory of this name may be a part of a table: a partition, or a bucket
// of Paimon.
bool IsPartition(std::string_view name) {
  const size_t equals = name.find('=');
  return (equals != std::string_view::npos && equals > 0) ||
         name.starts_with("bucket-");
}

// Returns the format of the table in `path`, if its child `below` may be a part of it.
// The directory may have very many entries, so it is not listed, but asked for the
// entries that mark tables.
TableFormat FormatOf(const FileSystem& files, const std::string& path,
                     std::string_view below, const Cancelled& cancelled) {
  std::vector<const char*> marks = {"_delta_log", ".hoodie", "snapshot", "schema"};
  if (below == "data") marks = {"metadata"};
  DirectoryEntries entries;
  for (const char* name : marks) {
    const Result<struct stat> info = files.Stat(JoinPath(path, name), cancelled);
    if (info.ok()) entries.push_back({name, *info});
  }
  return TableFormatOf(entries, [&](const std::string& name) {
    const auto within = files.List(JoinPath(path, name), cancelled);
    return within.ok() ? *within : DirectoryEntries();
  });
}

}  // namespace

Status TableAbove::Check(const FileSystem& files, const std::string& directory,
                         const Cancelled& cancelled) {
  auto [above, name] = Split(directory);
  while (IsPartition(name) || name == "data") {
    std::string shown = files.Shown(above);
    if (shown.empty()) shown.push_back('.');
    if (!seen_.insert(shown).second) return {};
    const TableFormat format = FormatOf(files, above, name, cancelled);
    if (format != TableFormat::kNone) return TableRefusal(format, shown);
    if (name == "data") return {};
    std::tie(above, name) = Split(above);
  }
  return {};
}

}  // namespace rowfeed
