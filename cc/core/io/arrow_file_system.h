// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_ARROW_FILE_SYSTEM_H_
#define ROWFEED_CORE_IO_ARROW_FILE_SYSTEM_H_

#include <memory>

#include "core/io/blocking_calls.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"

namespace rowfeed {

// Makes the file system that Arrow has for a URI of scheme s3, gs, gcs, abfs, abfss,
// hdfs or viewfs. The first call connects. All calls that may wait run in threads of
// `calls`.
std::shared_ptr<const FileSystem> MakeArrowFileSystem(
    Uri uri, const std::shared_ptr<BlockingCalls>& calls);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_ARROW_FILE_SYSTEM_H_
