// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FILE_SYSTEM_H_
#define ROWFEED_CORE_IO_FILE_SYSTEM_H_

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/export.h"
#include "core/io/random_access_file.h"
#include "core/status.h"

namespace rowfeed {

// One entry of a directory. For a link, `info` describes what it leads to.
struct DirectoryEntry {
  std::string name;
  // In a remote file system only the kind (directory or regular file) and the size are
  // set; there is no inode.
  struct stat info;
  int error = 0;  // errno of stat; if not 0, `info` has no meaning
};

using DirectoryEntries = std::vector<DirectoryEntry>;

// A place that has files: this machine's file system or a remote store. Paths are bytes
// with '/' as separator; "" is the root of a remote file system and the working
// directory of the local one. Errors name the path as Shown writes it. Thread-safe. If
// `cancelled` returns true, waits for a remote file system end with kCancelled.
class ROWFEED_EXPORT FileSystem {
 public:
  virtual ~FileSystem();

  // Returns what `path` is; links are followed. kNotFound: there is nothing of this
  // name.
  virtual Result<struct stat> Stat(const std::string& path,
                                   const Cancelled& cancelled) const = 0;
  // Returns all entries of a directory except `.` and `..`, in no particular order.
  virtual Result<DirectoryEntries> List(const std::string& path,
                                        const Cancelled& cancelled) const = 0;
  // Returns the List of a directory and of each directory below it, by path, if that
  // needs fewer requests than one per directory; else an empty map.
  virtual Result<std::map<std::string, DirectoryEntries>> ListTree(
      const std::string& /*path*/, const Cancelled& /*cancelled*/) const {
    return std::map<std::string, DirectoryEntries>();
  }
  virtual Result<std::shared_ptr<const RandomAccessFile>> Open(
      const std::string& path, const Cancelled& cancelled) const = 0;
  // Like Open, for a file whose version is known. A remote file need not be asked for
  // its version now: reads find out whether it still has it.
  virtual Result<std::shared_ptr<const RandomAccessFile>> OpenKnown(
      const std::string& path, const FileVersion& /*version*/,
      const Cancelled& cancelled) const {
    return Open(path, cancelled);
  }
  // The path as messages show it: "s3://bucket/key".
  virtual std::string Shown(const std::string& path) const = 0;
};

// Returns the file system of this machine.
std::shared_ptr<const FileSystem> LocalFileSystem();

// Opens a local path, or a URI by its file system. If `known` is not nullptr, it is the
// file's version, and OpenKnown is used.
Result<std::shared_ptr<const RandomAccessFile>> OpenFile(
    const std::string& path, const Cancelled& cancelled = {},
    const FileVersion* known = nullptr);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FILE_SYSTEM_H_
