// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_MIX_STREAMS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_MIX_STREAMS_H_

#include "core/export.h"
#include "core/status.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Returns the options of a stream over the sources of a mixture. What the mixture does
// not say is as in its first source, except that an arena has as few batches as that of
// any source: a batch that is kept keeps its arena. kInvalid: there are no sources.
ROWFEED_EXPORT Result<StreamOptions> MixStreams(MixtureOptions mixture);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_MIX_STREAMS_H_
