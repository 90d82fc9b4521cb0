// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/table_above.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/catalog/listing/directory.h"
#include "core/catalog/listing/partition_rule.h"
#include "core/catalog/listing/table_format.h"
#include "core/io/uri.h"
#include "core/parallel_for.h"

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
bool IsPartOfTable(std::string_view name) {
  return !PartitionsAtEnd(name).empty() || name.starts_with("bucket-");
}

// The entries of a directory that may mark a table.
constexpr std::array kMarks = {"_delta_log", "metadata", ".hoodie", "snapshot",
                               "schema"};

// Returns the format of the table in `path`. The directory may have very many entries,
// so it is not listed, but asked for those that mark tables. A store is asked for all
// at once, as each question is a request.
TableFormat FormatOf(const FileSystem& files, const std::string& path,
                     const Cancelled& cancelled) {
  std::array<std::optional<struct stat>, kMarks.size()> found;
  const size_t num_threads = IsUri(files.Shown(path)) ? kMarks.size() : 1;
  ParallelFor(kMarks.size(), static_cast<int>(num_threads), [&](size_t i) {
    const Result<struct stat> info = files.Stat(JoinPath(path, kMarks[i]), cancelled);
    if (info.ok()) found[i] = *info;
  });
  DirectoryEntries entries;
  for (size_t i = 0; i < kMarks.size(); ++i) {
    if (found[i]) entries.push_back({kMarks[i], *found[i]});
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
  bool is_within = true;
  while (is_within && !name.empty()) {
    std::string shown = files.Shown(above);
    if (shown.empty()) shown.push_back('.');
    if (!seen_.insert(shown).second) return {};
    const TableFormat format = FormatOf(files, above, cancelled);
    if (format != TableFormat::kNone) return TableRefusal(format, shown);
    is_within = IsPartOfTable(name);
    std::tie(above, name) = Split(above);
  }
  return {};
}

}  // namespace rowfeed
