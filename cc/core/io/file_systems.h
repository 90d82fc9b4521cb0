// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FILE_SYSTEMS_H_
#define ROWFEED_CORE_IO_FILE_SYSTEMS_H_

#include <memory>

#include "core/io/blocking_calls.h"
#include "core/io/file_system.h"
#include "core/io/uri.h"
#include "core/status.h"

namespace rowfeed {

// The file systems that this process uses, one for each Uri::Root(): connections,
// threads and credentials are shared by all that reads from it. Credentials of a URI
// hold for later URIs of the same root that have none, as catalogs keep them. Threads
// and locks of a parent before a fork are left alone. kUnsupported for other schemes.
Result<std::shared_ptr<const FileSystem>> FileSystemOf(const Uri& uri);

// Whether a path is one that this library can read by itself: a local one, or of a
// scheme that Arrow has a client for.
bool HasClient(const std::string& path);

// Who makes the file systems of schemes that are not Arrow's: TensorFlow's adapter,
// when its library is loaded. nullptr: it does not know the scheme either.
using OtherFileSystems = std::shared_ptr<const FileSystem> (*)(
    const Uri& uri, std::shared_ptr<BlockingCalls> calls);
// Returns true, for who calls it as a library is loaded.
bool SetOtherFileSystems(OtherFileSystems make) noexcept;

// Before the process ends: what was not read by now is an error. Gives reads under way
// a moment to end, so that Arrow's library for s3 can be shut down.
void CloseFileSystems();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FILE_SYSTEMS_H_
