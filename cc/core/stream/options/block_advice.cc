// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/block_advice.h"

#include <bit>

#include "core/stream/options/column_sizes.h"
#include "core/stream/options/memory_plan.h"

namespace rowfeed {
namespace {

// The smallest block to advise: smaller ones cost more than they save.
constexpr int64_t kLeastBlock = 32;
// The number of blocks in an advised window. It is that of row groups in the default
// one.
constexpr int64_t kWindowBlocks = 8;

}  // namespace

std::optional<BlockAdvice> AdviseBlocks(const Catalogs& catalogs,
                                        const StreamOptions& options, int64_t bytes) {
  if (options.mixture) return std::nullopt;
  const int64_t largest = LargestBlock(*catalogs[0], options.order);
  StreamOptions smaller = options;
  for (const bool shrinks_window : {false, true}) {
    if (shrinks_window && !options.order.shuffle) break;
    for (auto block = static_cast<int64_t>(std::bit_floor<uint64_t>(largest));
         block >= kLeastBlock; block /= 2) {
      if (block == largest) continue;
      const int64_t window = kWindowBlocks * block;
      if (shrinks_window && window >= options.order.shuffle_window) continue;
      smaller.order.block_rows = block;
      if (shrinks_window) smaller.order.shuffle_window = window;
      const int64_t needed = PlanMemory(catalogs, smaller).minimum();
      if (needed <= bytes)
        return BlockAdvice{block, shrinks_window ? window : 0, needed};
    }
  }
  return std::nullopt;
}

}  // namespace rowfeed
