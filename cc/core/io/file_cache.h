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

// Open files, least recently used closed first, so that a data set of many files needs
// few descriptors. Thread-safe; a file in use stays open until its last reader drops
// it.
class FileCache {
 public:
  explicit FileCache(size_t max_open) : max_open_(max_open) {}

  // Opens `path`, or finds it open. A version other than the catalog's is kCorrupt and
  // says which: two versions of a file are never mixed. Of a remote file that is known
  // when it is read.
  Result<std::shared_ptr<const RandomAccessFile>> Get(const std::string& path,
                                                      const FileVersion& expected,
                                                      const Cancelled& cancelled = {});

  // Opens the file anew for who asks next: it could not be read.
  void Forget(const std::shared_ptr<const RandomAccessFile>& file);

  // Whether `file` may stay open for as long as whoever asks keeps it. Of those that do
  // there are no more than a quarter of the descriptors that the process may have.
  bool MayHold(const std::shared_ptr<const RandomAccessFile>& file);

 private:
  struct Entry {
    std::string path;
    std::shared_ptr<const RandomAccessFile> file;
  };
  using Entries = std::list<Entry>;
  // The open file, now the most recently used; nullptr if there is none.
  std::shared_ptr<const RandomAccessFile> Find(const std::string& path);
  void Insert(const std::string& path, std::shared_ptr<const RandomAccessFile> file);

  const size_t max_open_;
  std::mutex mutex_;
  Entries entries_;  // most recently used first
  std::unordered_map<std::string, Entries::iterator> by_path_;
  std::vector<std::weak_ptr<const RandomAccessFile>> held_;
};

// A file of a catalog, in the version that it was catalogued in, open no longer than it
// is read: for who reads now and then.
class CachedFile final : public RandomAccessFile {
 public:
  // `cancelled` ends the waits of all reads.
  CachedFile(std::shared_ptr<FileCache> cache, std::string path, FileVersion version,
             Cancelled cancelled = {})
      : cache_(std::move(cache)),
        path_(std::move(path)),
        version_(std::move(version)),
        cancelled_(std::move(cancelled)) {}

  // Keeps it open from now on, so that it can be read when its name is gone; unless so
  // many are that the process might run out of descriptors.
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
