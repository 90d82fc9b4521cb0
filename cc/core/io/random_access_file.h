// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_
#define ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/export.h"
#include "core/status.h"

namespace rowfeed {

class BufferPool;

// Identifies one version of a file.
struct FileVersion {
  int64_t size = 0;
  int64_t mtime_ns = 0;  // time of change since 1970; 0 if there is an etag
  std::string etag;      // etag or generation in an object store; else empty

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

// An extent to read, and the memory that its bytes go to.
struct ReadRequest {
  Extent extent;
  uint8_t* out;
};

// An extent whose bytes are in memory.
struct FetchedExtent {
  Extent extent;
  std::shared_ptr<const uint8_t[]> bytes;
  int64_t num_retries = 0;  // retries that its request needed
};

// A function that says whether a wait must end, with kCancelled. It is called in any
// thread. Empty: the wait is never cancelled.
using Cancelled = std::function<bool()>;

// Reads the bytes of one version of one file. Thread-safe.
class ROWFEED_EXPORT RandomAccessFile {
 public:
  virtual ~RandomAccessFile();
  // Fills all requests with bytes of the version that was opened. If the file has fewer
  // bytes, or has changed since it was opened, returns kCorrupt; never a short or mixed
  // read.
  virtual Status Read(const std::vector<ReadRequest>& requests) const = 0;
  // Fills out[0, size) with the file's bytes from `offset` on.
  Status ReadAt(int64_t offset, int64_t size, uint8_t* out) const {
    return Read({{{offset, size}, out}});
  }
  // Reads the extents into memory and returns what was read by ascending offset. A
  // remote file is read with few requests, several at once, and one request for extents
  // that are close together. Unlike Read, this does not check the version: call
  // CheckUnchanged afterwards. `buffers`: the pool that gives the memory for a remote
  // file; nullptr: any memory.
  virtual Result<std::vector<FetchedExtent>> Fetch(
      const std::vector<Extent>& extents, const std::shared_ptr<BufferPool>& buffers,
      const Cancelled& cancelled) const;
  // Returns kCorrupt if the file has changed since it was opened, and kNotFound if it
  // is gone: then what was fetched before may be of any version. Local files need no
  // such check, as their reads make it.
  virtual Status CheckUnchanged(const Cancelled& /*cancelled*/) const { return {}; }
  // Whether the system has this byte in its page cache, and so probably those around
  // it: many small reads then cost little. False if the system does not tell.
  virtual bool IsInPageCache(int64_t /*offset*/) const { return false; }
  // True: each read is a round trip over a network, so few large reads are better.
  virtual bool is_remote() const { return false; }
  virtual const FileVersion& version() const = 0;
  int64_t size() const { return version().size; }
  // The path as messages show it; for a remote file "s3://bucket/key".
  virtual const std::string& path() const = 0;
};

// Opens a local file, which is read with pread: if it is truncated meanwhile, reads
// return an error, and there is no SIGBUS. A path that is not a regular file (a FIFO, a
// device) is refused without blocking. If another file is renamed to this path, readers
// of the open file are not disturbed. If the file is rewritten in place, reads return
// an error as far as size and mtime reveal it.
Result<std::shared_ptr<const RandomAccessFile>> OpenLocalFile(const std::string& path);

int64_t TotalBytes(const std::vector<ReadRequest>& requests);

using ReadRequests = std::vector<ReadRequest>;

// Requests whose extents follow one another in the file can be one read. Returns the
// end of the read that begins with the request `begin`.
ReadRequests::const_iterator EndOfRead(ReadRequests::const_iterator begin,
                                       ReadRequests::const_iterator end);
// Returns the number of such reads in `requests`.
int64_t NumReads(const ReadRequests& requests);

// Whether a read has failed because the file is gone or was replaced by another one.
bool IsLost(const Status& status);

// Returns kCorrupt unless the extent lies in the file.
Status CheckExtent(const RandomAccessFile& file, const Extent& extent);

// Returns kCorrupt "PATH changed since it was catalogued: …", with what was expected
// and found, unless the versions are equal.
Status CheckVersion(const std::string& path, const FileVersion& expected,
                    const FileVersion& found);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_
