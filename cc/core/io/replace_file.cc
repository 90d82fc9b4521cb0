// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/replace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <functional>
#include <sstream>
#include <system_error>
#include <thread>

#include "core/io/posix_status.h"
#include "core/io/random_access_file.h"

namespace rowfeed {
namespace {

// Writes all bytes and waits until they are on disk. Returns 0, or the errno of the
// failure.
int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    bytes.remove_prefix(done);
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

int WriteNew(const std::string& path, std::string_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  const int error = WriteAll(fd, bytes);
  if (::close(fd) != 0 && error == 0) return errno;
  return error;
}

// Waits until the new name is on disk, too. Not every file system supports this.
void SyncDirectory(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

std::string ParentOf(const std::string& path) {
  std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// Returns a name that no other thread or process uses.
std::string Temporary(const std::string& path) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const size_t thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  std::ostringstream name;
  name << path << '.' << getpid() << '-' << thread << '-' << now << ".tmp";
  return name.str();
}

}  // namespace

Status ReplaceFile(const std::string& path, std::string_view bytes) {
  const std::string parent = ParentOf(path);
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) return ErrnoStatus(error.value(), parent);
  const std::string temporary = Temporary(path);
  Status status;
  if (const int code = WriteNew(temporary, bytes); code != 0) {
    status = ErrnoStatus(code, temporary);
  } else if (::rename(temporary.c_str(), path.c_str()) != 0) {
    status = ErrnoStatus(errno, path);
  } else {
    SyncDirectory(parent);
    return {};
  }
  ::unlink(temporary.c_str());
  return status;
}

Status LinkFile(const std::string& existing, const std::string& path) {
  if (::link(existing.c_str(), path.c_str()) != 0) return ErrnoStatus(errno, path);
  SyncDirectory(ParentOf(path));
  return {};
}

Result<std::string> ReadWholeFile(const std::string& path, int64_t most_bytes) {
  ROWFEED_ASSIGN_OR_RETURN(const auto file, OpenLocalFile(path));
  if (file->size() > most_bytes) {
    return Status::Corrupt(path, " has ", file->size(), " bytes, and no more than ",
                           most_bytes, " are expected");
  }
  std::string bytes(file->size(), '\0');
  ROWFEED_RETURN_NOT_OK(
      file->ReadAt(0, file->size(), reinterpret_cast<uint8_t*>(bytes.data())));
  return bytes;
}

}  // namespace rowfeed
