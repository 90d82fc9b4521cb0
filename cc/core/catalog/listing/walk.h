// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_WALK_H_
#define ROWFEED_CORE_CATALOG_LISTING_WALK_H_

#include <sys/stat.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/listing/directory.h"
#include "core/catalog/listing/listed_file.h"
#include "core/io/file_system.h"
#include "core/io/random_access_file.h"
#include "core/problems.h"

namespace rowfeed {

// Finds the files below one root by walking down its directories.
class Walk {
 public:
  // Adds to `left_out` the files in directories whose names are nearly those of Parquet
  // files.
  Walk(const FileSystem* files, std::string root, const Cancelled& cancelled,
       Problems* problems, std::set<std::string>* left_out)
      : files_(files),
        root_(std::move(root)),
        cancelled_(cancelled),
        problems_(problems),
        left_out_(left_out) {}

  // Adds all Parquet files below the directory `name`. `info` is the directory's.
  void AddTree(const std::string& name, const struct stat& info);
  // Adds all files below the root whose paths match `components`, name by name. `info`
  // is the root's.
  void AddMatches(const std::vector<std::string>& components, const struct stat& info);

  // Returns the files in order, each once, although a glob can match both a file and a
  // directory above it.
  std::vector<ListedFile> Finish() &&;

 private:
  std::string PathOf(const std::string& name) const {
    return name.empty() ? root_ : JoinPath(root_, name);
  }
  // Returns the entries of a directory. Empty if the directory is an error, such as the
  // folder of a table, or if it has disappeared since the directory above it was read.
  DirectoryEntries Read(const std::string& name);
  Result<DirectoryEntries> List(const std::string& path) const;
  bool IsTable(const std::string& name, const DirectoryEntries& entries);
  // Lists a directory and all below it in advance, if the file system can do that with
  // few requests.
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
  std::set<std::string> tables_;  // folders of tables that were refused
  // Entries that were listed in advance, by path.
  std::map<std::string, DirectoryEntries> read_;
  Ancestors ancestors_;
  std::vector<std::string> names_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_WALK_H_
