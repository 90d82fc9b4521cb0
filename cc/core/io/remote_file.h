// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_REMOTE_FILE_H_
#define ROWFEED_CORE_IO_REMOTE_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/io/random_access_file.h"
#include "core/io/remote_access.h"
#include "core/status.h"

namespace rowfeed {

// What a store knows of one object. Calls block, for as long as they please;
// kUnavailable is worth another try. Thread-safe.
class RemoteObject {
 public:
  virtual ~RemoteObject() = default;
  // How many bytes there were.
  virtual Result<int64_t> Read(const Extent& extent, uint8_t* out) const = 0;
  // Of the object that is there now.
  virtual Result<FileVersion> Version() const = 0;
};

// The object as a file, in the version that it has now. Reads are requests of good
// size, several at once, each with a deadline and tried again under a total one;
// CheckUnchanged asks for the version once more. `shown`: its name in messages.
Result<std::shared_ptr<const RandomAccessFile>> OpenRemoteFile(
    std::string shown, std::shared_ptr<const RemoteObject> object, RemoteAccess access,
    const Cancelled& cancelled);

// The same in a version that is known, without a question.
std::shared_ptr<const RandomAccessFile> MakeRemoteFile(
    std::string shown, FileVersion version, std::shared_ptr<const RemoteObject> object,
    RemoteAccess access);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_REMOTE_FILE_H_
