// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <fcntl.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "core/io/file_system.h"
#include "core/io/posix_status.h"

namespace rowfeed {
namespace {

// Returns the name for system calls: "" is the working directory.
std::string Name(const std::string& path) { return path.empty() ? "." : path; }

class Local final : public FileSystem {
 public:
  Result<struct stat> Stat(const std::string& path,
                           const Cancelled& /*cancelled*/) const override {
    struct stat info;
    const std::string name = Name(path);
    if (::stat(name.c_str(), &info) != 0) return ErrnoStatus(errno, name);
    return info;
  }
  Result<DirectoryEntries> List(const std::string& path,
                                const Cancelled& cancelled) const override;
  Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string& path, const Cancelled& /*cancelled*/) const override {
    return OpenLocalFile(path);
  }
  std::string Shown(const std::string& path) const override { return path; }
};

// Fills entry->info. Returns false if the entry, whose name was just read, is gone.
bool Look(int directory, DirectoryEntry* entry) {
  const char* name = entry->name.c_str();
  entry->error = ::fstatat(directory, name, &entry->info, 0) == 0 ? 0 : errno;
  if (entry->error != ENOENT) return true;
  if (::fstatat(directory, name, &entry->info, AT_SYMLINK_NOFOLLOW) != 0) return false;
  // An entry that is no broken link exists again.
  if (!S_ISLNK(entry->info.st_mode)) entry->error = 0;
  return true;
}

Result<DirectoryEntries> Local::List(const std::string& directory_path,
                                     const Cancelled& cancelled) const {
  const std::string path = Name(directory_path);
  const auto close = [](DIR* directory) { ::closedir(directory); };
  std::unique_ptr<DIR, decltype(close)> directory(::opendir(path.c_str()), close);
  if (directory == nullptr) return ErrnoStatus(errno, path);
  DirectoryEntries entries;
  while (true) {
    if (cancelled && cancelled()) {
      return Status(StatusCode::kCancelled, "listing was cancelled");
    }
    errno = 0;
    const dirent* found = ::readdir(directory.get());
    if (found == nullptr) break;
    DirectoryEntry entry;
    entry.name = found->d_name;
    if (entry.name == "." || entry.name == "..") continue;
    if (Look(::dirfd(directory.get()), &entry)) entries.push_back(std::move(entry));
  }
  if (errno != 0) return ErrnoStatus(errno, path);
  return entries;
}

}  // namespace

std::shared_ptr<const FileSystem> LocalFileSystem() {
  return std::make_shared<Local>();
}

}  // namespace rowfeed
