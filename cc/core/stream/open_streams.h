// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPEN_STREAMS_H_
#define ROWFEED_CORE_STREAM_OPEN_STREAMS_H_

#include <memory>

#include "core/export.h"
#include "core/stream/batch_stream.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Makes a stream that CloseStreams closes. It serves frameworks that destroy no
// iterator when the process ends.
ROWFEED_EXPORT std::shared_ptr<BatchStream> OpenStream(std::shared_ptr<Cursor> cursor,
                                                       const StreamOptions& options);

// Cancels and closes all streams that OpenStream has made, and those that it makes from
// now on. Call it before the process ends.
ROWFEED_EXPORT void CloseStreams();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPEN_STREAMS_H_
