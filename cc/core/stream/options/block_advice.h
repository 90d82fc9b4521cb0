// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_BLOCK_ADVICE_H_
#define ROWFEED_CORE_STREAM_OPTIONS_BLOCK_ADVICE_H_

#include <cstdint>
#include <optional>

#include "core/catalog/catalog.h"
#include "core/export.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Order options with which a stream of large row groups needs less memory. Only the
// user may set them, because they may change the order.
struct BlockAdvice {
  int64_t block_rows;
  int64_t shuffle_window;  // 0: it may stay as it is
  int64_t bytes;           // the memory that the stream needs with these options
};

// Returns the largest blocks, in powers of two, with which the stream needs at most
// `bytes`. A shuffled stream keeps its window if it can; otherwise the window has a few
// blocks. nullopt: no blocks are small enough. A mixture gets no advice, because the
// options belong to its sources.
ROWFEED_EXPORT std::optional<BlockAdvice> AdviseBlocks(const Catalogs& catalogs,
                                                       const StreamOptions& options,
                                                       int64_t bytes);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_BLOCK_ADVICE_H_
