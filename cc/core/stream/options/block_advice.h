// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_BLOCK_ADVICE_H_
#define ROWFEED_CORE_STREAM_OPTIONS_BLOCK_ADVICE_H_

#include <cstdint>
#include <optional>

#include "core/catalog/catalog.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Order options with which a stream of large row groups needs less memory. They are the
// user's to give, since they may change the order.
struct BlockAdvice {
  int64_t block_rows;
  int64_t shuffle_window;  // 0: it may stay as it is
  int64_t bytes;           // that suffice then
};

// The largest blocks, in powers of two, with which the stream needs `bytes` at most; of
// a shuffled one in as large a window as it has, or in one of a few blocks. nullopt:
// blocks do not bring it about. A mixture gets none: its sources do.
std::optional<BlockAdvice> AdviseBlocks(const Catalogs& catalogs,
                                        const StreamOptions& options, int64_t bytes);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_BLOCK_ADVICE_H_
