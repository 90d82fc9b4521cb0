// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/walk.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_set>

#include "core/catalog/listing/parquet_name.h"
#include "core/catalog/listing/table_format.h"
#include "core/glob.h"
#include "core/io/posix_status.h"

namespace rowfeed {
namespace {

bool EndsWithOneOf(std::string_view name,
                   std::initializer_list<std::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) {
    return name.size() > suffix.size() && name.ends_with(suffix);
  });
}

bool IsHidden(std::string_view name) {
  const bool partition = name[0] == '_' && name.find('=') != std::string_view::npos;
  return name[0] == '.' || (name[0] == '_' && !partition);
}

bool IsUnfinished(std::string_view name) {
  return EndsWithOneOf(name, {".tmp", ".crc", ".inprogress", "._COPYING_"});
}

// Removes from the entries of a directory those that are about to be deleted: beside
// each lies a ".NAME.retired".
void DropRetired(DirectoryEntries* entries) {
  constexpr std::string_view kSuffix = ".retired";
  std::unordered_set<std::string_view> retired;
  for (const DirectoryEntry& entry : *entries) {
    const std::string_view name = entry.name;
    if (name.starts_with('.') && name.ends_with(kSuffix)) {
      retired.insert(name.substr(1, name.size() - 1 - kSuffix.size()));
    }
  }
  if (retired.empty()) return;
  DirectoryEntries kept;
  for (const DirectoryEntry& entry : *entries) {
    if (!retired.contains(entry.name)) kept.push_back(entry);
  }
  *entries = std::move(kept);
}

}  // namespace

Result<DirectoryEntries> Walk::List(const std::string& path) const {
  const auto read = read_.find(path);
  if (read != read_.end()) return read->second;
  return files_->List(path, cancelled_);
}

DirectoryEntries Walk::Read(const std::string& name) {
  if (problems_->is_over()) return {};
  Result<DirectoryEntries> entries = List(PathOf(name));
  const bool has_gone =
      !name.empty() && entries.status().code() == StatusCode::kNotFound;
  if (!has_gone) problems_->Add(entries.status());
  if (!entries.ok() || IsTable(name, *entries)) return {};
  DropRetired(&*entries);
  return *std::move(entries);
}

bool Walk::IsTable(const std::string& name, const DirectoryEntries& entries) {
  const std::string path = PathOf(name);
  const TableFormat format = TableFormatOf(entries, [&](const std::string& child) {
    const Result<DirectoryEntries> within = List(JoinPath(path, child));
    return within.ok() ? *within : DirectoryEntries();
  });
  if (format == TableFormat::kNone) return false;
  // A pattern can reach a directory in several ways: report it once.
  if (tables_.insert(name).second) {
    problems_->Add(TableRefusal(format, files_->Shown(path)));
  }
  return true;
}

void Walk::ReadTree(const std::string& name) {
  const std::string path = PathOf(name);
  if (problems_->is_over() || read_.contains(path)) return;
  Result<std::map<std::string, DirectoryEntries>> tree =
      files_->ListTree(path, cancelled_);
  if (EndsAll(tree.status())) problems_->Add(tree.status());
  if (!tree.ok()) return;  // Read reports the error, if the directory is needed
  read_.merge(*tree);
}

void Walk::AddFile(const std::string& name, const DirectoryEntry& entry) {
  const std::string path = files_->Shown(PathOf(name));
  if (entry.error != 0) return problems_->Add(ErrnoStatus(entry.error, path));
  if (Status status = CheckRegular(entry.info.st_mode, path); !status.ok()) {
    return problems_->Add(std::move(status));
  }
  names_.push_back(name);
}

void Walk::AddTree(const std::string& name, const struct stat& info) {
  if (ancestors_.Contains(info)) return;
  ancestors_.Push(info);
  ReadTree(name);
  for (const DirectoryEntry& entry : Read(name)) {
    if (IsHidden(entry.name) || IsUnfinished(entry.name)) continue;
    const std::string child = JoinPath(name, entry.name);
    if (entry.error == 0 && S_ISDIR(entry.info.st_mode)) {
      AddTree(child, entry.info);
    } else if (IsParquetName(entry.name)) {
      AddFile(child, entry);
    } else if (IsNearlyParquetName(entry.name)) {
      left_out_->insert(files_->Shown(PathOf(child)));
    }
  }
  ancestors_.Pop();
}

void Walk::AddMatches(const std::vector<std::string>& components,
                      const struct stat& info) {
  ancestors_.Push(info);
  MatchDirectory("", components, 0);
  ancestors_.Pop();
}

// Matches the components from number `next` on below the directory `name`.
void Walk::MatchDirectory(const std::string& name,
                          const std::vector<std::string>& components, size_t next) {
  if (components[next] == "**") {
    ReadTree(name);
    MatchDirectory(name, components, next + 1);
  }
  for (const DirectoryEntry& entry : Read(name)) {
    MatchEntry(name, entry, components, next);
  }
}

void Walk::MatchEntry(const std::string& name, const DirectoryEntry& entry,
                      const std::vector<std::string>& components, size_t next) {
  const std::string& pattern = components[next];
  if (IsHidden(entry.name) && pattern[0] != entry.name[0]) return;
  if (IsUnfinished(entry.name) && !IsUnfinished(pattern)) return;
  const std::string child = JoinPath(name, entry.name);
  const bool is_directory = entry.error == 0 && S_ISDIR(entry.info.st_mode);
  if (pattern == "**") {
    if (!is_directory || ancestors_.Contains(entry.info)) return;
    ancestors_.Push(entry.info);
    MatchDirectory(child, components, next);
    ancestors_.Pop();
  } else if (!MatchGlob(pattern, entry.name)) {
    return;
  } else if (next + 1 < components.size()) {
    if (is_directory) MatchDirectory(child, components, next + 1);
  } else if (is_directory) {
    AddTree(child, entry.info);
  } else {
    AddFile(child, entry);
  }
}

std::vector<ListedFile> Walk::Finish() && {
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  std::vector<ListedFile> files;
  files.reserve(names_.size());
  for (std::string& name : names_) {
    std::string path = PathOf(name);
    files.push_back({std::move(path), std::move(name)});
  }
  return files;
}

}  // namespace rowfeed
