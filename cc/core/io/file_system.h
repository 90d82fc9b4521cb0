// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FILE_SYSTEM_H_
#define ROWFEED_CORE_IO_FILE_SYSTEM_H_

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// One entry of a directory, links followed.
struct DirectoryEntry {
  std::string name;
  // Of a remote file system only whether it is a directory or a regular file, and its
  // size; it has no inode.
  struct stat info;
  int error = 0;  // errno of stat; then `info` has no meaning
};

using DirectoryEntries = std::vector<DirectoryEntry>;

// A place that has files. Paths are '/'-separated bytes, "" is the root of a remote
// file system and the working directory of the local one. Errors name what messages
// call the path. Thread-safe; `cancelled` ends waits for a remote one.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Links followed. kNotFound: nothing has this name.
  virtual Result<struct stat> Stat(const std::string& path,
                                   const Cancelled& cancelled) const = 0;
  // All entries of a directory but `.` and `..`, in no order.
  virtual Result<DirectoryEntries> List(const std::string& path,
                                        const Cancelled& cancelled) const = 0;
  // List of a directory and of each below it, by their paths, where that is fewer
  // requests than one for each; else nothing.
  virtual Result<std::map<std::string, DirectoryEntries>> ListTree(
      const std::string& /*path*/, const Cancelled& /*cancelled*/) const {
    return std::map<std::string, DirectoryEntries>();
  }
  virtual Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string& path, const Cancelled& cancelled) const = 0;
  // The same in a version that is known: who reads a remote file learns whether it
  // still has it, so that it need not be asked now.
  virtual Result<std::shared_ptr<const RandomAccessFile>> OpenKnown(
      const std::string& path, const FileVersion& /*version*/,
      const Cancelled& cancelled) const {
    return Open(path, cancelled);
  }
  // For messages: "s3://bucket/key".
  virtual std::string Shown(const std::string& path) const = 0;
};

// The file system of this machine.
std::shared_ptr<const FileSystem> LocalFileSystem();

// Opens a local path, or a URI by its file system; with OpenKnown if `known`.
Result<std::shared_ptr<const RandomAccessFile>> OpenFile(
    const std::string& path, const Cancelled& cancelled = {},
    const FileVersion* known = nullptr);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FILE_SYSTEM_H_
