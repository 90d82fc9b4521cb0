// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_
#define ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/status.h"

namespace rowfeed {

// Bytes of one version of one file. Thread-safe.
class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  // Fills out[0, size) from `offset`, with bytes of the version that was opened: fewer
  // bytes in the file, or a file that changed since, is kCorrupt, never a short or
  // mixed read.
  virtual Status ReadAt(int64_t offset, int64_t size, uint8_t* out) const = 0;
  virtual int64_t size() const = 0;
  virtual int64_t mtime_ns() const = 0;
  virtual const std::string& path() const = 0;
};

// A local file read with pread: a file truncated meanwhile is an error, not a SIGBUS.
// Refuses what is not a regular file without blocking on it (FIFOs, devices). A file
// renamed over an open one does not disturb its readers; one rewritten in place is an
// error as far as size and mtime tell.
Result<std::shared_ptr<const RandomAccessFile>> OpenLocalFile(const std::string& path);

// kCorrupt "PATH changed since it was catalogued: …" with both numbers of each, unless
// sizes and times agree.
Status CheckVersion(const std::string& path, int64_t expected_size,
                    int64_t expected_mtime_ns, int64_t size, int64_t mtime_ns);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_RANDOM_ACCESS_FILE_H_
