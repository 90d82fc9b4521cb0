// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_
#define ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/status.h"

namespace rowfeed {

class BufferPool;

// What tells one version of a file from another.
struct FileVersion {
  int64_t size = 0;
  int64_t mtime_ns = 0;  // since the epoch; 0 where there is an etag
  std::string etag;      // or generation, of an object store; else empty

  bool operator==(const FileVersion& other) const {
    return size == other.size && mtime_ns == other.mtime_ns && etag == other.etag;
  }
  bool operator!=(const FileVersion& other) const { return !(*this == other); }
};

// Bytes [offset, offset + size) of a file.
struct Extent {
  int64_t offset = 0;
  int64_t size = 0;

  int64_t end() const { return offset + size; }
};

// An extent to read, and where its bytes go.
struct ReadRequest {
  Extent extent;
  uint8_t* out;
};

// An extent that is in memory.
struct FetchedExtent {
  Extent extent;
  std::shared_ptr<const uint8_t[]> bytes;
  int64_t num_retries = 0;  // of the request that brought it
};

// Whether a wait is to end, with kCancelled; asked in any thread. Empty: never.
using Cancelled = std::function<bool()>;

// Bytes of one version of one file. Thread-safe.
class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  // Fills all of them with bytes of the version that was opened: fewer bytes in the
  // file, or a file that changed since, is kCorrupt, never a short or mixed read.
  virtual Status Read(const std::vector<ReadRequest>& requests) const = 0;
  // Fills out[0, size) from `offset`.
  Status ReadAt(int64_t offset, int64_t size, uint8_t* out) const {
    return Read({{{offset, size}, out}});
  }
  // All that the extents hold, in memory, by ascending offset. Of a remote file with
  // few requests, several at once: extents that lie close are one. As Read, but that
  // the bytes are of the version that was opened is known after CheckUnchanged only.
  // `buffers`: where those of a remote file have their memory from; nullptr: anywhere.
  virtual Result<std::vector<FetchedExtent>> Fetch(
      const std::vector<Extent>& extents, const std::shared_ptr<BufferPool>& buffers,
      const Cancelled& cancelled) const;
  // kCorrupt if the file changed since it was opened, kNotFound if it is gone: then
  // what was fetched before may be of any version. Local files need no such question.
  virtual Status CheckUnchanged(const Cancelled& /*cancelled*/) const { return {}; }
  // Whether the system has this byte in its page cache, and likely those around it, so
  // that many small reads cost little; false where it does not tell.
  virtual bool IsInPageCache(int64_t /*offset*/) const { return false; }
  // Each read is a round trip: few large ones are better.
  virtual bool is_remote() const { return false; }
  virtual const FileVersion& version() const = 0;
  int64_t size() const { return version().size; }
  // For messages; of a remote file "s3://bucket/key".
  virtual const std::string& path() const = 0;
};

// A local file read with pread: a file truncated meanwhile is an error, not a SIGBUS.
// Refuses what is not a regular file without blocking on it (FIFOs, devices). A file
// renamed over an open one does not disturb its readers; one rewritten in place is an
// error as far as size and mtime tell.
Result<std::shared_ptr<const RandomAccessFile>> OpenLocalFile(const std::string& path);

int64_t TotalBytes(const std::vector<ReadRequest>& requests);

using ReadRequests = std::vector<ReadRequest>;

// Requests that follow one another in the file are one read: where that of `begin`
// ends.
ReadRequests::const_iterator EndOfRead(ReadRequests::const_iterator begin,
                                       ReadRequests::const_iterator end);
// How many there are.
int64_t NumReads(const ReadRequests& requests);

// Whether a read has failed as the file is gone, or another one.
bool IsLost(const Status& status);

// kCorrupt unless the extent lies in the file.
Status CheckExtent(const RandomAccessFile& file, const Extent& extent);

// kCorrupt "PATH changed since it was catalogued: …" with what was expected and found,
// unless sizes and etags agree; where there is none, sizes and times.
Status CheckVersion(const std::string& path, const FileVersion& expected,
                    const FileVersion& found);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_
