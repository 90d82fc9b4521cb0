// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/catalog/directory.h"
#include "core/catalog/glob.h"
#include "core/catalog/problems.h"
#include "core/io/posix_status.h"

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

// "s3://bucket/key": a scheme as RFC 3986 has it.
bool IsUri(std::string_view path) {
  const size_t colon = path.find("://");
  return colon != std::string_view::npos && colon > 0 && std::isalpha(path[0]) != 0 &&
         std::all_of(path.begin(), path.begin() + colon, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
         });
}

// The files of one root, found by walking down from it.
class Walk {
 public:
  Walk(std::string root, Problems* problems)
      : root_(std::move(root)), problems_(problems) {}

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
  std::vector<DirectoryEntry> Read(const std::string& name);
  void AddFile(const std::string& name, const DirectoryEntry& entry);
  void MatchDirectory(const std::string& name,
                      const std::vector<std::string>& components, size_t next);
  void MatchEntry(const std::string& name, const DirectoryEntry& entry,
                  const std::vector<std::string>& components, size_t next);

  const std::string root_;
  Problems* const problems_;
  Ancestors ancestors_;
  std::vector<std::string> names_;
};

std::vector<DirectoryEntry> Walk::Read(const std::string& name) {
  const std::string path = PathOf(name);
  Result<std::vector<DirectoryEntry>> entries =
      ReadDirectory(path.empty() ? "." : path);
  problems_->Add(entries.status());
  return entries.ok() ? *std::move(entries) : std::vector<DirectoryEntry>{};
}

void Walk::AddFile(const std::string& name, const DirectoryEntry& entry) {
  const std::string path = PathOf(name);
  if (entry.error != 0) return problems_->Add(ErrnoStatus(entry.error, path));
  if (Status status = CheckRegular(entry.info.st_mode, path); !status.ok()) {
    return problems_->Add(std::move(status));
  }
  names_.push_back(name);
}

void Walk::AddTree(const std::string& name, const struct stat& info) {
  if (ancestors_.Contains(info)) return;
  ancestors_.Push(info);
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
  if (components[next] == "**") MatchDirectory(name, components, next + 1);
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
  if (IsUri(path)) {
    return Status::Unsupported(path, ": only local paths are read so far, no URIs");
  }
  return {};
}

// Something that stat knows under the very name.
std::vector<ListedFile> ListLiteral(const std::string& path, const struct stat& info,
                                    Problems* problems) {
  if (!S_ISDIR(info.st_mode)) {
    problems->Add(CheckRegular(info.st_mode, path));
    return {{path, path.substr(path.rfind('/') + 1)}};
  }
  Walk walk(path, problems);
  walk.AddTree("", info);
  return std::move(walk).Finish();
}

std::vector<ListedFile> ListGlob(const std::string& path, Problems* problems) {
  const Pattern pattern = SplitPattern(path);
  struct stat info;
  const char* root = pattern.root.empty() ? "." : pattern.root.c_str();
  if (::stat(root, &info) != 0) {
    if (errno != ENOENT) problems->Add(ErrnoStatus(errno, root));
    return {};
  }
  Walk walk(pattern.root, problems);
  walk.AddMatches(pattern.components, info);
  return std::move(walk).Finish();
}

// The files of one path; adds to `problems` if there are none.
std::vector<ListedFile> ListOne(const std::string& path, Problems* problems) {
  if (Status status = CheckSpelling(path); !status.ok()) {
    problems->Add(std::move(status));
    return {};
  }
  const size_t problems_before = problems->count();
  struct stat info;
  const int error = ::stat(path.c_str(), &info) == 0 ? 0 : errno;
  const bool is_glob = error == ENOENT && HasGlob(path);
  if (error != 0 && !is_glob) {
    problems->Add(ErrnoStatus(error, path));
    return {};
  }
  std::vector<ListedFile> files =
      is_glob ? ListGlob(path, problems) : ListLiteral(path, info, problems);
  if (files.empty() && problems->count() == problems_before) {
    problems->Add(
        Status::Make(StatusCode::kNotFound, path,
                     is_glob ? ": no file matches this pattern"
                             : ": no *.parquet, *.parq or *.pq in this directory"));
  }
  return files;
}

}  // namespace

Result<std::vector<ListedFile>> ListFiles(const std::vector<std::string>& paths) {
  if (paths.empty()) return Status::Invalid("no paths given");
  Problems problems;
  std::vector<ListedFile> files;
  for (const std::string& path : paths) {
    std::vector<ListedFile> found = ListOne(path, &problems);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  ROWFEED_RETURN_NOT_OK(problems.ToStatus());
  return files;
}

}  // namespace rowfeed
