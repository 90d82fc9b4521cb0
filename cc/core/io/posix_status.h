// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_POSIX_STATUS_H_
#define ROWFEED_CORE_IO_POSIX_STATUS_H_

#include <sys/types.h>

#include <string>

#include "core/status.h"

namespace rowfeed {

// Makes the error for a value of errno: a message such as "PATH: No such file or
// directory", and the status code that fits.
Status ErrnoStatus(int error, const std::string& path);

// Returns kInvalid "PATH is a FIFO, not a regular file" unless `mode`, as stat returns
// it, is that of a regular file.
Status CheckRegular(mode_t mode, const std::string& path);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_POSIX_STATUS_H_
