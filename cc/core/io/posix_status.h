// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_POSIX_STATUS_H_
#define ROWFEED_CORE_IO_POSIX_STATUS_H_

#include <sys/types.h>

#include <string>

#include "core/status.h"

namespace rowfeed {

// "PATH: No such file or directory", with the code that fits `error`, a value of errno.
Status ErrnoStatus(int error, const std::string& path);

// kInvalid "PATH is a FIFO, not a regular file" unless `mode` (of stat) is a regular
// file's.
Status CheckRegular(mode_t mode, const std::string& path);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_POSIX_STATUS_H_
