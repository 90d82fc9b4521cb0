// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/survivors_cache.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/io/posix_status.h"

namespace rowfeed {

std::string SurvivorsCache::PathOf(const std::string& key) const {
  return (std::filesystem::path(directory_) / ("rowfeed-" + key + ".survivors"))
      .string();
}

std::string SurvivorsCache::Read(const std::string& key) const {
  if (directory_.empty()) return {};
  std::ifstream file(PathOf(key), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Status SurvivorsCache::Write(const std::string& key, const std::string& bytes) const {
  if (directory_.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) return ErrnoStatus(error.value(), directory_);
  const std::string path = PathOf(key);
  const std::string temporary = path + "." + std::to_string(getpid());
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  file.write(bytes.data(), std::ssize(bytes));
  file.close();
  if (!file) {
    const int code = errno == 0 ? EIO : errno;
    std::remove(temporary.c_str());
    return ErrnoStatus(code, temporary);
  }
  std::filesystem::rename(temporary, path, error);
  return error ? ErrnoStatus(error.value(), path) : Status();
}

}  // namespace rowfeed
