// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_REPLACE_FILE_H_
#define ROWFEED_CORE_IO_REPLACE_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "core/status.h"

namespace rowfeed {

// Writes a file with these bytes to `path`, and creates the directories above it.
// Readers find the old file, if there was one, or all of the new one, even after a
// crash of the system.
Status ReplaceFile(const std::string& path, std::string_view bytes);

// Makes `path` another name (a hard link) of the file `existing`, as durably as
// ReplaceFile. Not every file system supports this.
Status LinkFile(const std::string& existing, const std::string& path);

// Returns all bytes of a file. Fails with kNotFound, kPermission or kIo; kCorrupt: the
// file has more than `most_bytes`, none of which is read. The file may be anybody's,
// and a sparse file of any size costs its maker nothing.
Result<std::string> ReadWholeFile(const std::string& path, int64_t most_bytes);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_REPLACE_FILE_H_
