// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_REPLACE_FILE_H_
#define ROWFEED_CORE_IO_REPLACE_FILE_H_

#include <string>
#include <string_view>

#include "core/status.h"

namespace rowfeed {

// Makes `path` a file of these bytes, and the directories above it. Readers see the old
// file, if there was one, or all of the new one, also after a crash of the system.
Status ReplaceFile(const std::string& path, std::string_view bytes);

// Makes `path` another name of a file that is there, which is as durable as
// ReplaceFile. Not every file system can.
Status LinkFile(const std::string& existing, const std::string& path);

// The bytes of a file; kNotFound, kPermission, kIo.
Result<std::string> ReadWholeFile(const std::string& path);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_REPLACE_FILE_H_
