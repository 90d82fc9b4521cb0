// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BUILD_ID_H_
#define ROWFEED_CORE_BUILD_ID_H_

#include "core/export.h"

// The build names itself: the version, and a digest of the sources of the core.
#ifndef ROWFEED_BUILD_ID
#define ROWFEED_BUILD_ID "development"
#endif

namespace rowfeed {

// Returns the ROWFEED_BUILD_ID of the kernel library. An adapter compares it with its
// own before it calls anything else: classes of another build may have another layout.
ROWFEED_EXPORT const char* LibraryBuildId();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BUILD_ID_H_
