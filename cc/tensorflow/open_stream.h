// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_OPEN_STREAM_H_
#define ROWFEED_TENSORFLOW_OPEN_STREAM_H_

#include <memory>

#include "core/stream/batch_stream.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/options.h"

namespace rowfeed::tfdata {

// Makes a stream, of inline strings, that CloseStreams will close if it is still there.
std::shared_ptr<BatchStream> OpenStream(std::shared_ptr<Cursor> cursor,
                                        StreamOptions options);

// Closes every stream of the process, and cancels those made from now on. TensorFlow
// leaves iterators alone when the process ends, but threads that still decode while
// Arrow's static objects are destroyed crash it.
void CloseStreams();

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_OPEN_STREAM_H_
