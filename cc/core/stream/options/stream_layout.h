// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_STREAM_LAYOUT_H_
#define ROWFEED_CORE_STREAM_OPTIONS_STREAM_LAYOUT_H_

#include "core/status.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// What the batches of a stream are made of, as LayOutBatches, and which strings of all
// its data sets are short by their footers, so that they are referred to.
Result<BatchLayout> LayOutStream(const Catalogs& catalogs,
                                 const StreamOptions& options);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_STREAM_LAYOUT_H_
