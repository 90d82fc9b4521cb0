// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_REMOTE_FILE_H_
#define ROWFEED_CORE_IO_REMOTE_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/export.h"
#include "core/io/random_access_file.h"
#include "core/io/remote_access.h"
#include "core/status.h"

namespace rowfeed {

// An object in a store. Calls block for as long as the store pleases; kUnavailable
// means that another try may succeed. Thread-safe.
class ROWFEED_EXPORT RemoteObject {
 public:
  virtual ~RemoteObject();
  // Reads the extent to `out`. Returns the number of bytes read.
  virtual Result<int64_t> Read(const Extent& extent, uint8_t* out) const = 0;
  // Returns the version of the object that is there now.
  virtual Result<FileVersion> Version() const = 0;
};

// Opens an object as a file, in the version that it has now. Reads become requests of
// good size, several at once. Each has a deadline and is tried again until a total
// deadline. CheckUnchanged asks for the version once more. `shown` is the object's name
// in messages.
ROWFEED_EXPORT Result<std::shared_ptr<const RandomAccessFile>> OpenRemoteFile(
    std::string shown, std::shared_ptr<const RemoteObject> object, RemoteAccess access,
    const Cancelled& cancelled);

// Like OpenRemoteFile, for a version that is known, so that the store need not be
// asked.
ROWFEED_EXPORT std::shared_ptr<const RandomAccessFile> MakeRemoteFile(
    std::string shown, FileVersion version, std::shared_ptr<const RemoteObject> object,
    RemoteAccess access);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_REMOTE_FILE_H_
