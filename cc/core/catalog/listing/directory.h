// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_LISTING_DIRECTORY_H_
#define ROWFEED_CORE_CATALOG_LISTING_DIRECTORY_H_

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

namespace rowfeed {

// Joins `directory` and `name` with one slash between them; returns `name` if
// `directory` is empty.
std::string JoinPath(const std::string& directory, std::string_view name);

// The directories that a walk is currently in, outermost first. Used to notice a link
// that leads back up. Directories of remote file systems have no inode, and no such
// links.
class Ancestors {
 public:
  bool Contains(const struct stat& info) const;
  void Push(const struct stat& info) { chain_.push_back({info.st_dev, info.st_ino}); }
  void Pop() { chain_.pop_back(); }

 private:
  struct Id {
    dev_t device;
    ino_t inode;
  };
  std::vector<Id> chain_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_LISTING_DIRECTORY_H_
