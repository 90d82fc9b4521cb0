// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FILE_SYSTEMS_H_
#define ROWFEED_CORE_IO_FILE_SYSTEMS_H_

#include <memory>

#include "core/export.h"
#include "core/io/blocking_calls.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"
#include "core/status.h"

namespace rowfeed {

// Returns the file system for a URI. The process has one for each Uri::Root(), so that
// all readers share connections, threads and credentials. The credentials of a URI are
// used for later URIs of the same root that have none, as the URIs in catalogs do.
// After a fork, the child makes its own and does not touch the parent's threads and
// locks. kUnsupported for unknown schemes.
Result<std::shared_ptr<const FileSystem>> FileSystemOf(const Uri& uri);

// Whether this library can read a path by itself: a local path, or a URI of a scheme
// for which Arrow has a client.
ROWFEED_EXPORT bool HasClient(const std::string& path);

// A function that makes the file systems of schemes for which Arrow has no client:
// TensorFlow's adapter sets it when its library is loaded, and all adapters of the
// process then read such files. It returns nullptr if it does not know the scheme
// either.
using OtherFileSystems = std::shared_ptr<const FileSystem> (*)(
    const Uri& uri, std::shared_ptr<BlockingCalls> calls);
// Returns true, so that it can initialise a static variable while a library is loaded.
ROWFEED_EXPORT bool SetOtherFileSystems(OtherFileSystems make) noexcept;

// Call before the process ends: later reads are errors. Gives running reads a moment to
// end, so that Arrow's library for s3 can be shut down.
ROWFEED_EXPORT void CloseFileSystems();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FILE_SYSTEMS_H_
