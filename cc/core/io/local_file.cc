// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "core/io/posix_status.h"
#include "core/io/random_access_file.h"

namespace rowfeed {
namespace {

// Linux reads at most 0x7ffff000 bytes at a time; ask for no more.
constexpr int64_t kMaxReadBytes = int64_t{1} << 30;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

FileVersion VersionOf(const struct stat& info) {
  return {info.st_size,
          int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec,
          /*etag=*/{}};
}

class LocalFile final : public RandomAccessFile {
 public:
  LocalFile(std::string path, FileDescriptor fd, const struct stat& info)
      : path_(std::move(path)), fd_(std::move(fd)), version_(VersionOf(info)) {}

  Status Read(const std::vector<ReadRequest>& requests) const override {
    for (const ReadRequest& request : requests) {
      ROWFEED_RETURN_NOT_OK(Fill(request));
    }
    return CheckUnchanged();
  }

  const FileVersion& version() const override { return version_; }
  const std::string& path() const override { return path_; }

 private:
  Status Fill(const ReadRequest& request) const {
    const auto& [offset, size] = request.extent;
    ROWFEED_RETURN_NOT_OK(CheckExtent(*this, request.extent));
    for (int64_t done = 0; done < size;) {
      const ssize_t got = ::pread(fd_.get(), request.out + done,
                                  std::min(size - done, kMaxReadBytes), offset + done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return ErrnoStatus(errno, path_);
      if (got == 0) break;  // truncated meanwhile: CheckUnchanged says so
      done += got;
    }
    return {};
  }

  // Called after the reads: a writer moves mtime before it changes bytes, so that bytes
  // of a newer version never pass.
  Status CheckUnchanged() const {
    struct stat info;
    if (::fstat(fd_.get(), &info) != 0) return ErrnoStatus(errno, path_);
    return CheckVersion(path_, version_, VersionOf(info));
  }

  const std::string path_;
  const FileDescriptor fd_;
  const FileVersion version_;
};

}  // namespace

Result<std::shared_ptr<const RandomAccessFile>> OpenLocalFile(const std::string& path) {
  // Ask before opening: opening a device can have effects. The answer may be stale, so
  // the open does not block and the descriptor is asked again.
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return ErrnoStatus(errno, path);
  ROWFEED_RETURN_NOT_OK(CheckRegular(info.st_mode, path));
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0 || ::fstat(fd.get(), &info) != 0) return ErrnoStatus(errno, path);
  ROWFEED_RETURN_NOT_OK(CheckRegular(info.st_mode, path));
  return std::shared_ptr<const RandomAccessFile>(
      std::make_shared<LocalFile>(path, std::move(fd), info));
}

}  // namespace rowfeed
