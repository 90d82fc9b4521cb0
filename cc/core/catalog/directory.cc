// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/directory.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "core/io/posix_status.h"

namespace rowfeed {

Result<std::vector<DirectoryEntry>> ReadDirectory(const std::string& path) {
  const auto close = [](DIR* directory) { ::closedir(directory); };
  std::unique_ptr<DIR, decltype(close)> directory(::opendir(path.c_str()), close);
  if (directory == nullptr) return ErrnoStatus(errno, path);
  std::vector<DirectoryEntry> entries;
  while (true) {
    errno = 0;
    const dirent* found = ::readdir(directory.get());
    if (found == nullptr) break;
    DirectoryEntry entry;
    entry.name = found->d_name;
    if (entry.name == "." || entry.name == "..") continue;
    const int failed =
        ::fstatat(::dirfd(directory.get()), found->d_name, &entry.info, 0);
    entry.error = failed != 0 ? errno : 0;
    entries.push_back(std::move(entry));
  }
  if (errno != 0) return ErrnoStatus(errno, path);
  return entries;
}

std::string JoinPath(const std::string& directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  std::string joined = directory;
  if (joined.back() != '/') joined += '/';
  return joined.append(name);
}

bool Ancestors::Contains(const struct stat& info) const {
  return std::any_of(chain_.begin(), chain_.end(), [&](const Id& id) {
    return id.device == info.st_dev && id.inode == info.st_ino;
  });
}

}  // namespace rowfeed
