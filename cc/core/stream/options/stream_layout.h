// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_STREAM_LAYOUT_H_
#define ROWFEED_CORE_STREAM_OPTIONS_STREAM_LAYOUT_H_

#include "core/status.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Returns what the batches of a stream are made of, as LayOutBatches does. It also
// marks the strings that are short in all data sets, by their footers, to be referred
// to.
Result<BatchLayout> LayOutStream(const Catalogs& catalogs,
                                 const StreamOptions& options);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_STREAM_LAYOUT_H_
