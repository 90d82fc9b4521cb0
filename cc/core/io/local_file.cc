// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <utility>
#include <vector>

#include "core/io/posix_status.h"
#include "core/io/random_access_file.h"

namespace rowfeed {
namespace {

// Largest size of one read. Linux reads at most 0x7ffff000 bytes at a time.
constexpr int64_t kMaxReadBytes = int64_t{1} << 30;
// Largest number of places that one read fills. Linux allows 1024.
constexpr int64_t kMaxParts = 256;

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
    for (auto begin = requests.begin(); begin != requests.end();) {
      const int64_t most = std::min(requests.end() - begin, kMaxParts);
      const auto end = EndOfRead(begin, begin + most);
      ROWFEED_RETURN_NOT_OK(Fill({begin, end}));
      begin = end;
    }
    return CheckUnchanged();
  }

  bool IsInPageCache(int64_t offset) const override {
    uint8_t byte = 0;
    const struct iovec part = {&byte, 1};
    return ::preadv2(fd_.get(), &part, 1, offset, RWF_NOWAIT) == 1;
  }

  const FileVersion& version() const override { return version_; }
  const std::string& path() const override { return path_; }

 private:
  // Reads requests that lie side by side in the file with one system call.
  Status Fill(std::span<const ReadRequest> side_by_side) const {
    if (side_by_side.size() == 1) return Fill(side_by_side.front());
    std::array<struct iovec, kMaxParts> parts;
    int64_t size = 0;
    for (size_t i = 0; i < side_by_side.size(); ++i) {
      const auto& [extent, out] = side_by_side[i];
      ROWFEED_RETURN_NOT_OK(CheckExtent(*this, extent));
      parts[i] = {out, static_cast<size_t>(extent.size)};
      size += extent.size;
    }
    const ssize_t got =
        ::preadv(fd_.get(), parts.data(), static_cast<int>(side_by_side.size()),
                 side_by_side.front().extent.offset);
    if (got == size) return {};
    // The read was interrupted, or the file is shorter. Read one by one, which tells
    // the reason.
    for (const ReadRequest& request : side_by_side) {
      ROWFEED_RETURN_NOT_OK(Fill(request));
    }
    return {};
  }

  Status Fill(const ReadRequest& request) const {
    const auto& [offset, size] = request.extent;
    ROWFEED_RETURN_NOT_OK(CheckExtent(*this, request.extent));
    for (int64_t done = 0; done < size;) {
      const ssize_t got = ::pread(fd_.get(), request.out + done,
                                  std::min(size - done, kMaxReadBytes), offset + done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return ErrnoStatus(errno, path_);
      if (got == 0) return EndsAt(offset + done);
      done += got;
    }
    return {};
  }

  // Makes the error for a file that ends early. It was truncated meanwhile, which
  // CheckUnchanged finds out on most file systems.
  Status EndsAt(int64_t size) const {
    ROWFEED_RETURN_NOT_OK(CheckUnchanged());
    return Status::Corrupt(path_, ": has ", size, " bytes to read, expected ",
                           version_.size);
  }

  // Called after the reads: writing changes mtime before it changes bytes, so that
  // bytes of a newer version are always noticed.
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
  // Checks the file before it is opened, as opening a device can have effects. The
  // answer may be out of date, so the open does not block and the open file is checked
  // again.
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
