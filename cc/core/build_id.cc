// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/build_id.h"

namespace rowfeed {

const char* LibraryBuildId() { return ROWFEED_BUILD_ID; }

}  // namespace rowfeed
