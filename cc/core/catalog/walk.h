// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_WALK_H_
#define ROWFEED_CORE_CATALOG_WALK_H_

#include <sys/stat.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/directory.h"
#include "core/catalog/listing.h"
#include "core/io/file_system.h"
#include "core/problems.h"

namespace rowfeed {

// The files of one root, found by walking down from it.
class Walk {
 public:
  // `left_out` gains the files in directories whose names are nearly those of Parquet.
  Walk(const FileSystem* files, std::string root, const Cancelled& cancelled,
       Problems* problems, std::set<std::string>* left_out)
      : files_(files),
        root_(std::move(root)),
        cancelled_(cancelled),
        problems_(problems),
        left_out_(left_out) {}

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
  // Empty if it is a problem, such as the folder of a table, or has gone since a
  // directory above it was read.
  DirectoryEntries Read(const std::string& name);
  Result<DirectoryEntries> List(const std::string& path) const;
  bool IsTable(const std::string& name, const DirectoryEntries& entries);
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
  std::set<std::string>* const left_out_;
  std::set<std::string> tables_;                  // that are refused
  std::map<std::string, DirectoryEntries> read_;  // ahead
  Ancestors ancestors_;
  std::vector<std::string> names_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_WALK_H_
