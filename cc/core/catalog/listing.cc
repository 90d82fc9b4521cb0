// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "core/catalog/directory.h"
#include "core/catalog/glob.h"
#include "core/catalog/problems.h"
#include "core/catalog/walk.h"
#include "core/io/file_system.h"
#include "core/io/file_systems.h"
#include "core/io/posix_status.h"
#include "core/io/uri.h"

namespace rowfeed {
namespace {

// A path, taken apart.
struct Root {
  std::shared_ptr<const FileSystem> files;
  std::string path;        // in the file system
  std::optional<Uri> uri;  // that a remote path comes from
};

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

// `shown` is the path, in messages.
Status CheckSpelling(const std::string& path, const std::string& shown) {
  if (path.find('\0') == std::string::npos) return {};
  return Status::Invalid("a path holds a NUL byte: ", shown.c_str(), "…");
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
  if (path.empty()) return Status::Invalid("a path is empty");
  ROWFEED_RETURN_NOT_OK(CheckSpelling(path, ShownPath(path)));
  if (!IsUri(path)) return Root{LocalFileSystem(), path, std::nullopt};
  ROWFEED_ASSIGN_OR_RETURN(Uri uri, ParseUri(path));
  ROWFEED_RETURN_NOT_OK(CheckSpelling(uri.path, uri.Shown(uri.path)));
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
    if (problems.is_over()) break;
    std::vector<ListedFile> found = ListOne(path, cancelled, &problems);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  ROWFEED_RETURN_NOT_OK(problems.ToStatus());
  return files;
}

}  // namespace rowfeed
