// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_VALIDATE_STREAM_H_
#define ROWFEED_CORE_STREAM_OPTIONS_VALIDATE_STREAM_H_

#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/status.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Checks the options of a stream over these catalogs: ranges, columns and fills, and
// whether the budget holds the windows that are needed at once. If it does not, the
// error has the numbers and the options to change.
ROWFEED_EXPORT Status ValidateStream(const StreamOptions& options,
                                     const Catalogs& catalogs);
ROWFEED_EXPORT Status ValidateStream(const StreamOptions& options,
                                     const Catalog& catalog);  // for one data set

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_VALIDATE_STREAM_H_
