// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/catalog/directory.h"
#include "core/catalog/glob.h"
#include "core/catalog/problems.h"
#include "core/io/file_system.h"
#include "core/io/file_systems.h"
#include "core/io/posix_status.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

bool EndsWithOneOf(std::string_view name,
                   std::initializer_list<std::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) {
    return name.size() > suffix.size() && name.ends_with(suffix);
  });
}

bool IsParquetName(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return EndsWithOneOf(name, {".parquet", ".parq", ".pq"});
}

bool IsHidden(std::string_view name) {
  const bool partition = name[0] == '_' && name.find('=') != std::string_view::npos;
  return name[0] == '.' || (name[0] == '_' && !partition);
}

bool IsUnfinished(std::string_view name) {
  return EndsWithOneOf(name, {".tmp", ".crc", ".inprogress", "._COPYING_"});
}

// A path, taken apart.
struct Root {
  std::shared_ptr<const FileSystem> files;
  std::string path;        // in the file system
  std::optional<Uri> uri;  // that a remote path comes from
};

// Takes what is retired from the entries of a directory.
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

// The files of one root, found by walking down from it.
class Walk {
 public:
  Walk(const FileSystem* files, std::string root, const Cancelled& cancelled,
       Problems* problems)
      : files_(files),
        root_(std::move(root)),
        cancelled_(cancelled),
        problems_(problems) {}

  // All Parquet files below the directory `name`, which is `info`.
  void AddTree(const std::string& name, const struct stat& info);
  // All below the root, which is `info`, that matches the components one by one.
  void AddMatches(const std::vector<std::string>& components, const struct stat& info);

  // In order, each once, although a glob can match a file and a directory above it.
  std::vector<ListedFile> Finish() &&;

 private:
  std::string PathOf(const std::string& name) const {
    return name.empty() ? root_ : JoinPath(root_, name);
  }
  DirectoryEntries Read(const std::string& name);
  // What is below the directory will be read.
  void ReadTree(const std::string& name);
  void AddFile(const std::string& name, const DirectoryEntry& entry);
  void MatchDirectory(const std::string& name,
                      const std::vector<std::string>& components, size_t next);
  void MatchEntry(const std::string& name, const DirectoryEntry& entry,
                  const std::vector<std::string>& components, size_t next);

  const FileSystem* const files_;
  const std::string root_;
  const Cancelled& cancelled_;
  Problems* const problems_;
  std::map<std::string, DirectoryEntries> read_;  // ahead
  Ancestors ancestors_;
  std::vector<std::string> names_;
};

DirectoryEntries Walk::Read(const std::string& name) {
  const std::string path = PathOf(name);
  if (const auto read = read_.find(path); read != read_.end()) return read->second;
  Result<DirectoryEntries> entries = files_->List(path, cancelled_);
  problems_->Add(entries.status());
  if (!entries.ok()) return {};
  DropRetired(&*entries);
  return *std::move(entries);
}

void Walk::ReadTree(const std::string& name) {
  const std::string path = PathOf(name);
  if (read_.contains(path)) return;
  Result<std::map<std::string, DirectoryEntries>> tree =
      files_->ListTree(path, cancelled_);
  if (!tree.ok()) return;  // Read has the same error
  for (auto& [directory, entries] : *tree) DropRetired(&entries);
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

// Matches components[next, end) below the directory `name`.
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

// The directory before the first name with a glob, and the names from there on. Several
// `**` in a row are one; a last `**` takes all files below.
struct Pattern {
  std::string root;
  std::vector<std::string> components;
};

Pattern SplitPattern(const std::string& path) {
  Pattern pattern;
  if (path[0] == '/') pattern.root.assign(1, '/');
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string component = path.substr(begin, end - begin);
    begin = end + 1;
    if (component.empty()) continue;
    if (pattern.components.empty() && !HasGlob(component)) {
      pattern.root = JoinPath(pattern.root, component);
    } else if (component != "**" || pattern.components.empty() ||
               pattern.components.back() != "**") {
      pattern.components.push_back(component);
    }
  }
  if (pattern.components.back() == "**") pattern.components.emplace_back("*");
  return pattern;
}

Status CheckSpelling(const std::string& path) {
  if (path.empty()) return Status::Invalid("a path is empty");
  if (path.find('\0') != std::string::npos) {
    return Status::Invalid("a path holds a NUL byte: ", path.c_str(), "…");
  }
  return {};
}

// Something that stat knows under the very name.
std::vector<ListedFile> ListLiteral(const Root& root, const struct stat& info,
                                    const Cancelled& cancelled, Problems* problems) {
  const std::string& path = root.path;
  if (!S_ISDIR(info.st_mode)) {
    problems->Add(CheckRegular(info.st_mode, path));
    return {{path, path.substr(path.rfind('/') + 1)}};
  }
  Walk walk(root.files.get(), path, cancelled, problems);
  walk.AddTree("", info);
  return std::move(walk).Finish();
}

std::vector<ListedFile> ListGlob(const Root& root, const Cancelled& cancelled,
                                 Problems* problems) {
  const Pattern pattern = SplitPattern(root.path);
  const Result<struct stat> info = root.files->Stat(pattern.root, cancelled);
  if (!info.ok()) {
    if (info.status().code() != StatusCode::kNotFound) problems->Add(info.status());
    return {};
  }
  if (!S_ISDIR(info->st_mode)) return {};
  Walk walk(root.files.get(), pattern.root, cancelled, problems);
  walk.AddMatches(pattern.components, *info);
  return std::move(walk).Finish();
}

// `file://` is another way to write a local path.
Result<Root> FindRoot(const std::string& path) {
  ROWFEED_RETURN_NOT_OK(CheckSpelling(path));
  if (!IsUri(path)) return Root{LocalFileSystem(), path, std::nullopt};
  ROWFEED_ASSIGN_OR_RETURN(Uri uri, ParseUri(path));
  if (uri.scheme == "file") {
    if (!uri.authority.empty() || !uri.query.empty()) {
      return Status::Invalid(uri.Shown(uri.path),
                             ": a file:// URI has no host and no options");
    }
    return Root{LocalFileSystem(), std::string("/").append(uri.path), std::nullopt};
  }
  ROWFEED_ASSIGN_OR_RETURN(auto files, FileSystemOf(uri));
  return Root{std::move(files), uri.path, std::move(uri)};
}

// The files of one path; adds to `problems` if there are none.
std::vector<ListedFile> ListOne(const std::string& path, const Cancelled& cancelled,
                                Problems* problems) {
  const Result<Root> root = FindRoot(path);
  if (!root.ok()) {
    problems->Add(root.status());
    return {};
  }
  const size_t problems_before = problems->count();
  const Result<struct stat> info = root->files->Stat(root->path, cancelled);
  const bool is_glob =
      info.status().code() == StatusCode::kNotFound && HasGlob(root->path);
  if (!info.ok() && !is_glob) {
    problems->Add(info.status());
    return {};
  }
  std::vector<ListedFile> files = is_glob
                                      ? ListGlob(*root, cancelled, problems)
                                      : ListLiteral(*root, *info, cancelled, problems);
  if (files.empty() && problems->count() == problems_before) {
    problems->Add(
        Status::Make(StatusCode::kNotFound, root->files->Shown(root->path),
                     is_glob ? ": no file matches this pattern"
                             : ": no *.parquet, *.parq or *.pq in this directory"));
  }
  for (ListedFile& file : files) {
    if (root->uri) file.path = root->uri->WithPath(file.path);
  }
  return files;
}

}  // namespace

Result<std::vector<ListedFile>> ListFiles(const std::vector<std::string>& paths,
                                          const Cancelled& cancelled) {
  if (paths.empty()) return Status::Invalid("no paths given");
  Problems problems;
  std::vector<ListedFile> files;
  for (const std::string& path : paths) {
    std::vector<ListedFile> found = ListOne(path, cancelled, &problems);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  ROWFEED_RETURN_NOT_OK(problems.ToStatus());
  return files;
}

}  // namespace rowfeed
