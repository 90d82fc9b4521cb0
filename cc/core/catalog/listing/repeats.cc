// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/catalog/listing/repeats.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <tuple>

#include "core/io/uri.h"

namespace rowfeed {
namespace {

// Equal for two paths of the same file: device, inode, size, time and path. Size and
// time are included, as some network file systems give several files one inode. The
// names of hard links count as different files: nobody can tell which of them was
// first.
using Identity = std::tuple<uint64_t, uint64_t, int64_t, int64_t, std::string>;

Identity IdentityOf(const std::string& path) {
  struct stat info;
  const bool is_local = !IsUri(path) && ::stat(path.c_str(), &info) == 0;
  if (!is_local) return {0, 0, 0, 0, path};
  if (info.st_ino == 0 || info.st_nlink > 1) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return {0, 0, 0, 0, error ? path : real.string()};
  }
  const int64_t mtime_ns =
      int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  return {info.st_dev, info.st_ino, info.st_size, mtime_ns, ""};
}

}  // namespace

void NoticeRepeats(const std::vector<ListedFile>& files, Notices* notices) {
  if (files.size() < 2) return;
  std::map<Identity, const std::string*> first;
  std::set<std::string> repeated;
  size_t num_extra = 0;
  for (const ListedFile& file : files) {
    const auto [found, is_new] = first.emplace(IdentityOf(file.path), &file.path);
    if (is_new) continue;
    repeated.insert(ShownPath(*found->second));
    ++num_extra;
  }
  if (repeated.empty()) return;
  notices->sentences.push_back(
      std::to_string(repeated.size()) +
      (repeated.size() == 1 ? " file is" : " files are") +
      " listed more than once, by paths or symbolic links, and the rows are delivered "
      "each time (" +
      std::to_string(num_extra) + " of " + std::to_string(files.size()) +
      " files of the list are repeats): " + FirstOf(repeated) +
      "; list each file once, and no file beside its directory, unless that is meant");
}

}  // namespace rowfeed
