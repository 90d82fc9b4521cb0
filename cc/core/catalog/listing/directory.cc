// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/directory.h"

#include <algorithm>

namespace rowfeed {

std::string JoinPath(const std::string& directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  std::string joined = directory;
  if (joined.back() != '/') joined += '/';
  return joined.append(name);
}

bool Ancestors::Contains(const struct stat& info) const {
  return std::any_of(chain_.begin(), chain_.end(), [&](const Id& id) {
    return id.inode != 0 && id.device == info.st_dev && id.inode == info.st_ino;
  });
}

}  // namespace rowfeed
