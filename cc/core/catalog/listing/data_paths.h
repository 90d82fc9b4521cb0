// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_DATA_PATHS_H_
#define ROWFEED_CORE_CATALOG_LISTING_DATA_PATHS_H_

#include <string>
#include <vector>

namespace rowfeed {

// Tells which files can belong to the paths that a user gave. Nothing is listed or
// opened, except that local paths which are spelled in another way are compared after
// their symbolic links are resolved.
class DataPaths {
 public:
  // `paths` are as in ListFiles.
  explicit DataPaths(const std::vector<std::string>& paths);

  // Whether `file`, a path of any origin, is one of the paths or lies below one. A glob
  // stands for all below the directory before its first special character. False for a
  // file that leaves a path by `..`, and for one of another store or with other options
  // of the store.
  bool Have(const std::string& file) const;

 private:
  // A path of one file system, without a slash at its end.
  struct Place {
    std::string store;  // URI of the store with its options; empty for local paths
    std::string path;
  };
  static std::vector<Place> PlacesOf(const std::string& path);
  static bool IsBelow(const Place& file, const Place& above);

  std::vector<Place> roots_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_DATA_PATHS_H_
