// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TENSORFLOW_OPEN_STREAM_H_
#define ROWFEED_TENSORFLOW_OPEN_STREAM_H_

#include <memory>

#include "core/stream/batch_stream.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/options/options.h"

namespace rowfeed::tfdata {

// Makes a stream that delivers short strings inline. CloseStreams closes it if it still
// exists then.
std::shared_ptr<BatchStream> OpenStream(std::shared_ptr<Cursor> cursor,
                                        StreamOptions options);

// Closes every stream of the process, and cancels those made from now on. TensorFlow
// does not destroy iterators when the process ends. If threads still decode while
// Arrow's static objects are destroyed, the process crashes.
void CloseStreams();

}  // namespace rowfeed::tfdata

#endif  // ROWFEED_TENSORFLOW_OPEN_STREAM_H_
