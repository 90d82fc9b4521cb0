// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/listing.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "core/catalog/listing/directory.h"
#include "core/catalog/listing/repeats.h"
#include "core/catalog/listing/table_above.h"
#include "core/catalog/listing/walk.h"
#include "core/glob.h"
#include "core/io/file_system.h"
#include "core/io/file_systems.h"
#include "core/io/posix_status.h"
#include "core/io/uri.h"
#include "core/problems.h"

namespace rowfeed {
namespace {

// A path or URI, and the file system that it is in.
struct Root {
  std::shared_ptr<const FileSystem> files;
  std::string path;        // path within the file system
  std::optional<Uri> uri;  // the URI of a remote path
};

// A path with a glob, split into the directory before the first name with a glob, and
// the names from there on. Several `**` in a row count as one; a `**` at the end
// matches all files below.
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

// Returns kInvalid if the path has a NUL byte. `shown` is the path as messages show it.
Status CheckSpelling(const std::string& path, const std::string& shown) {
  if (path.find('\0') == std::string::npos) return {};
  return Status::Invalid("a path holds a NUL byte: ", shown.c_str(), "…");
}

// Finds the file system of a path. A URI with `file://` is a local path.
Result<Root> FindRoot(const std::string& path) {
  if (path.empty()) return Status::Invalid("a path is empty");
  ROWFEED_RETURN_NOT_OK(CheckSpelling(path, ShownPath(path)));
  if (!IsUri(path)) return Root{LocalFileSystem(), path, std::nullopt};
  ROWFEED_ASSIGN_OR_RETURN(Uri uri, ParseUri(path));
  ROWFEED_RETURN_NOT_OK(CheckSpelling(uri.path, uri.Shown(uri.path)));
  if (uri.scheme == "file") {
    if (!uri.authority.empty() || !uri.query.empty()) {
      return Status::Invalid(uri.Shown(uri.path),
                             ": a file:// URI has no host and no options: give "
                             "file:///home/me/data, or a path alone");
    }
    return Root{LocalFileSystem(), std::string("/").append(uri.path), std::nullopt};
  }
  ROWFEED_ASSIGN_OR_RETURN(auto files, FileSystemOf(uri));
  return Root{std::move(files), uri.path, std::move(uri)};
}

// Returns a local path from the root on, so that the directories above are seen even
// from within one.
std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path.empty() ? "." : path, error);
  return error ? path : absolute.lexically_normal().string();
}

// Lists paths one after the other, and gathers all errors.
class Lister {
 public:
  Lister(const Cancelled& cancelled, const PartitionRule& rule);

  // Returns the files of one path. If there are none, that is one of the errors.
  std::vector<ListedFile> List(const std::string& path);

  bool is_over() const { return problems_.is_over(); }
  Status status() const { return problems_.ToStatus(); }
  void NoticeLeftOut(Notices* notices) const;

 private:
  std::vector<ListedFile> ListLiteral(const Root& root, const struct stat& info);
  std::vector<ListedFile> ListGlob(const Root& root);
  Walk MakeWalk(const Root& root, const std::string& directory);
  // Finds the root of a path, and sets `info` to what the path is. Libraries of table
  // formats give URIs whose paths are not percent-encoded. So if nothing is found at
  // the decoded path, the path is tried literally.
  Result<Root> Find(const std::string& path, Result<struct stat>* info) const;
  Status NothingFound(const Root& root, bool is_glob) const;
  void FindPartitions(const Root& root, bool is_directory,
                      std::vector<ListedFile>* files);
  Result<std::string> PartitionsBelowBase(const Root& root,
                                          const std::string& path) const;

  const Cancelled& cancelled_;
  const PartitionRule& rule_;
  std::optional<Root> base_;  // root of rule_.base, for kBase
  Problems problems_;
  TableAbove table_above_;
  std::set<std::string> left_out_;       // names as messages show them, of all paths
  std::set<std::string> left_out_here_;  // names of the path that is listed now
};

Lister::Lister(const Cancelled& cancelled, const PartitionRule& rule)
    : cancelled_(cancelled), rule_(rule) {
  if (rule.from != PartitionRule::From::kBase) return;
  Result<Root> base = FindRoot(rule.base);
  problems_.Add(base.status());
  if (base.ok()) base_ = *std::move(base);
}

Walk Lister::MakeWalk(const Root& root, const std::string& directory) {
  const std::string whole = root.uri ? directory : AbsolutePath(directory);
  problems_.Add(table_above_.Check(*root.files, whole, cancelled_));
  return {root.files.get(), directory, cancelled_, &problems_, &left_out_here_};
}

// Lists a path of which the file system knows exactly this name: a directory or a file.
std::vector<ListedFile> Lister::ListLiteral(const Root& root, const struct stat& info) {
  const std::string& path = root.path;
  if (!S_ISDIR(info.st_mode)) {
    problems_.Add(CheckRegular(info.st_mode, path));
    return {{path, path.substr(path.rfind('/') + 1)}};
  }
  Walk walk = MakeWalk(root, path);
  walk.AddTree("", info);
  return std::move(walk).Finish();
}

std::vector<ListedFile> Lister::ListGlob(const Root& root) {
  const Pattern pattern = SplitPattern(root.path);
  const Result<struct stat> info = root.files->Stat(pattern.root, cancelled_);
  if (!info.ok()) {
    if (info.status().code() != StatusCode::kNotFound) problems_.Add(info.status());
    return {};
  }
  if (!S_ISDIR(info->st_mode)) return {};
  Walk walk = MakeWalk(root, pattern.root);
  walk.AddMatches(pattern.components, *info);
  return std::move(walk).Finish();
}

Status Lister::NothingFound(const Root& root, bool is_glob) const {
  std::string what = is_glob ? ": no file matches this pattern"
                             : ": no *.parquet, *.parq or *.pq in this directory";
  if (!left_out_here_.empty()) {
    what += ", but files of other names: " + FirstOf(left_out_here_) +
            "; give these as a list or by a glob";
  }
  return Status::Make(StatusCode::kNotFound, root.files->Shown(root.path), what);
}

Result<std::string> Lister::PartitionsBelowBase(const Root& root,
                                                const std::string& path) const {
  const auto place = [](const Root& each) {
    return each.uri ? each.uri->Shown("") : "";
  };
  std::optional<std::string> below;
  if (place(root) == place(*base_)) below = PathBelow(path, base_->path, !root.uri);
  if (below) return PartitionsIn(*below);
  return Status::Invalid(root.files->Shown(path), " is not below ",
                         base_->files->Shown(base_->path),
                         ", which partitions= gives as the directory that partitions "
                         "begin in");
}

void Lister::FindPartitions(const Root& root, bool is_directory,
                            std::vector<ListedFile>* files) {
  using From = PartitionRule::From;
  if (rule_.from == From::kNowhere || (rule_.from == From::kBase && !base_)) return;
  const bool has_own = is_directory && rule_.from == From::kListedEach;
  const std::string own = has_own ? PartitionsAtEnd(root.path) : "";
  for (ListedFile& file : *files) {
    if (rule_.from == From::kBase) {
      Result<std::string> found = PartitionsBelowBase(root, file.path);
      problems_.Add(found.status());
      if (found.ok()) file.partitions = *std::move(found);
    } else {
      file.partitions = own + PartitionsIn(is_directory ? file.name : file.path);
    }
  }
}

Result<Root> Lister::Find(const std::string& path, Result<struct stat>* info) const {
  Result<Root> root = FindRoot(path);
  if (!root.ok()) return root;
  *info = root->files->Stat(root->path, cancelled_);
  const bool may_be_literal = info->status().code() == StatusCode::kNotFound &&
                              IsUri(path) && path.find('%') != std::string::npos;
  if (!may_be_literal) return root;
  Result<Root> literal = FindRoot(WithLiteralPath(path));
  if (!literal.ok()) return root;
  Result<struct stat> other = literal->files->Stat(literal->path, cancelled_);
  if (!other.ok()) return root;
  *info = std::move(other);
  return literal;
}

std::vector<ListedFile> Lister::List(const std::string& path) {
  Result<struct stat> info = Status::Invalid("not asked for yet");
  const Result<Root> root = Find(path, &info);
  if (!root.ok()) {
    problems_.Add(root.status());
    return {};
  }
  const size_t problems_before = problems_.count();
  left_out_here_.clear();
  const bool is_glob =
      info.status().code() == StatusCode::kNotFound && HasGlob(root->path);
  if (!info.ok() && !is_glob) {
    problems_.Add(info.status());
    return {};
  }
  std::vector<ListedFile> files = is_glob ? ListGlob(*root) : ListLiteral(*root, *info);
  if (files.empty() && problems_.count() == problems_before) {
    problems_.Add(NothingFound(*root, is_glob));
  }
  left_out_.merge(left_out_here_);
  FindPartitions(*root, info.ok() && S_ISDIR(info->st_mode), &files);
  for (ListedFile& file : files) {
    if (root->uri) file.path = root->uri->WithPath(file.path);
  }
  return files;
}

void Lister::NoticeLeftOut(Notices* notices) const {
  if (left_out_.empty()) return;
  notices->sentences.push_back(
      std::to_string(left_out_.size()) +
      (left_out_.size() == 1 ? " file is" : " files are") +
      " left out, as directories are searched for names that end in "
      ".parquet, .parq or .pq: " +
      FirstOf(left_out_) +
      "; if they belong to the data, give them as a list or by a glob");
}

}  // namespace

Result<std::vector<ListedFile>> ListFiles(const std::vector<std::string>& paths,
                                          const Cancelled& cancelled, Notices* notices,
                                          const PartitionRule& rule) {
  if (paths.empty()) return Status::Invalid("no paths given");
  Lister lister(cancelled, rule);
  std::vector<ListedFile> files;
  for (const std::string& path : paths) {
    if (lister.is_over()) break;
    std::vector<ListedFile> found = lister.List(path);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  ROWFEED_RETURN_NOT_OK(lister.status());
  if (notices != nullptr) {
    lister.NoticeLeftOut(notices);
    NoticeRepeats(files, notices);
  }
  return files;
}

}  // namespace rowfeed
