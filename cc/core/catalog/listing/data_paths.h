// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_DATA_PATHS_H_
#define ROWFEED_CORE_CATALOG_LISTING_DATA_PATHS_H_

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rowfeed {

// Tells which files can belong to the paths that a user gave. Nothing is listed or
// opened, except that local paths which are spelled in another way are compared after
// their symbolic links are resolved. A file costs as many lookups as its path has
// directories, since both files and paths may be many.
class DataPaths {
 public:
  // `paths` are as in ListFiles.
  explicit DataPaths(const std::vector<std::string>& paths);

  // Whether `file`, a path of any origin, is one of the paths or lies below one. A glob
  // stands for all below the directory before its first special character. False for a
  // file that leaves a path by `..`, and for one of another store or with other options
  // of the store.
  bool Have(const std::string& file);

 private:
  // A path of one file system: the URI of the store with its options (empty for local
  // paths), and the path without a slash at its end.
  using Place = std::pair<std::string, std::string>;
  // Local paths whose symbolic links are resolved.
  struct Links {
    std::set<std::string> files;        // only links in their directories are resolved
    std::set<std::string> directories;  // all links are resolved
  };
  static std::vector<Place> PlacesOf(const std::string& path);
  // Whether a path, or a directory above it that it does not leave, is a root.
  bool IsWithin(Place place) const;
  bool IsWithinLinks(const std::string& path);

  std::set<Place> roots_;
  std::optional<Links> links_;  // made when the first path needs it
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_DATA_PATHS_H_
