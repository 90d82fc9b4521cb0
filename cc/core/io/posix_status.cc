// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/posix_status.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace rowfeed {
namespace {

StatusCode CodeOf(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ESTALE:  // another machine removed a file that is open here
      return StatusCode::kNotFound;
    case EACCES:
    case EPERM:
      return StatusCode::kPermission;
    case ENOMEM:
      return StatusCode::kOutOfMemory;
    default:
      return StatusCode::kIo;
  }
}

const char* KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

Status ErrnoStatus(int error, const std::string& path) {
  return {CodeOf(error), path + ": " + std::generic_category().message(error)};
}

Status CheckRegular(mode_t mode, const std::string& path) {
  if (S_ISREG(mode)) return {};
  return Status::Invalid(path, " is ", KindOf(mode), ", not a regular file");
}

}  // namespace rowfeed
