// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FILE_CACHE_H_
#define ROWFEED_CORE_IO_FILE_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/io/random_access_file.h"
#include "core/io/uri.h"
#include "core/status.h"

namespace rowfeed {

// A cache of open files that closes the least recently used ones, so that a data set of
// many files needs few file descriptors. Thread-safe. A file in use stays open until
// its last reader releases it.
class FileCache {
 public:
  explicit FileCache(size_t max_open) : max_open_(max_open) {}

  // Opens `path`, or returns it if it is open. Returns kCorrupt if the file has not the
  // `expected` version, and says which it has: two versions of a file are never mixed.
  // For a remote file this is found out only when it is read.
  Result<std::shared_ptr<const RandomAccessFile>> Get(const std::string& path,
                                                      const FileVersion& expected,
                                                      const Cancelled& cancelled = {});

  // Drops a file that could not be read, so that the next Get opens it again.
  void Forget(const std::shared_ptr<const RandomAccessFile>& file);

  // Whether the caller may keep `file` open for as long as it likes. At most a quarter
  // of the process's file descriptors are given away like this.
  bool MayHold(const std::shared_ptr<const RandomAccessFile>& file);

 private:
  struct Entry {
    std::string path;
    std::shared_ptr<const RandomAccessFile> file;
  };
  using Entries = std::list<Entry>;
  // Returns the open file and marks it as the most recently used; nullptr if it is not
  // open.
  std::shared_ptr<const RandomAccessFile> Find(const std::string& path);
  void Insert(const std::string& path, std::shared_ptr<const RandomAccessFile> file);

  const size_t max_open_;
  std::mutex mutex_;
  Entries entries_;  // open files, most recently used first
  std::unordered_map<std::string, Entries::iterator> by_path_;
  std::vector<std::weak_ptr<const RandomAccessFile>> held_;
};

// A file of a catalog, in the version that the catalog has. It is open only while it is
// read, for readers that read now and then.
class CachedFile final : public RandomAccessFile {
 public:
  // If `cancelled` returns true, reads that wait end with kCancelled.
  CachedFile(std::shared_ptr<FileCache> cache, std::string path, FileVersion version,
             Cancelled cancelled = {})
      : cache_(std::move(cache)),
        path_(std::move(path)),
        version_(std::move(version)),
        cancelled_(std::move(cancelled)) {}

  // Keeps the file open from now on, so that it can be read even after its name is
  // removed. Does not do so if the process might run out of file descriptors.
  Status Hold();

  Status Read(const std::vector<ReadRequest>& requests) const override;
  Result<std::vector<FetchedExtent>> Fetch(const std::vector<Extent>& extents,
                                           const std::shared_ptr<BufferPool>& buffers,
                                           const Cancelled& cancelled) const override;
  Status CheckUnchanged(const Cancelled& cancelled) const override;
  bool IsInPageCache(int64_t offset) const override;
  bool is_remote() const override { return IsUri(path_); }
  const FileVersion& version() const override { return version_; }
  const std::string& path() const override { return path_; }

 private:
  void ForgetIfFailed(const std::shared_ptr<const RandomAccessFile>& file,
                      const Status& status) const;

  std::shared_ptr<FileCache> cache_;
  std::string path_;
  FileVersion version_;
  Cancelled cancelled_;
  std::shared_ptr<const RandomAccessFile> held_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FILE_CACHE_H_
