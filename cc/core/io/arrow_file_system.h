// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_ARROW_FILE_SYSTEM_H_
#define ROWFEED_CORE_IO_ARROW_FILE_SYSTEM_H_

#include <memory>

#include "core/io/blocking_calls.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"

namespace rowfeed {

// The file system that Arrow has for a URI: s3, gs, gcs, abfs, abfss, hdfs, viewfs.
// What connects is the first call, in a thread of `calls`, as does all that may wait.
std::shared_ptr<const FileSystem> MakeArrowFileSystem(
    Uri uri, const std::shared_ptr<BlockingCalls>& calls);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_ARROW_FILE_SYSTEM_H_
