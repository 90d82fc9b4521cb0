// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/window_index.h"

#include <algorithm>

namespace rowfeed {

WindowSplit SplitPieces(const WindowReader& reader,
                        const std::vector<uint32_t>& permutation,
                        const std::vector<Run>& runs,
                        const std::vector<Place>& places) {
  WindowSplit split(reader.pieces(), permutation, runs, places);
  for (size_t piece = 0; piece < reader.pieces().size(); ++piece) {
    split.MapRows(piece, reader.rows_of(piece).selected);
  }
  return split;
}

int64_t IndexBytes(const WindowReader& reader, size_t num_runs, bool is_split) {
  const auto runs = static_cast<int64_t>(num_runs);
  const int64_t num_segments =
      is_split ? std::min(reader.num_rows(), runs * std::ssize(reader.pieces())) : 0;
  return runs * static_cast<int64_t>(sizeof(Run)) +
         num_segments * WindowSplit::kSegmentBytes;
}

}  // namespace rowfeed
