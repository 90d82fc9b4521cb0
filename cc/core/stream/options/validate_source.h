// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_VALIDATE_SOURCE_H_
#define ROWFEED_CORE_STREAM_OPTIONS_VALIDATE_SOURCE_H_

#include "core/catalog/catalog.h"
#include "core/status.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Checks the columns and the order that are asked of one data set. kInvalid says what
// is wrong.
Status ValidateSource(const StreamOptions& options, const Catalog& catalog);

// Checks a mixture against the catalogs of its sources, and its weights. Errors call
// the sources "source 0", ...
Status ValidateMixture(const MixtureOptions& mixture, const Catalogs& catalogs);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_VALIDATE_SOURCE_H_
