// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_INDEX_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/window_split.h"
#include "core/plan/delivery.h"
#include "core/stream/window/window_reader.h"

namespace rowfeed {

// The lists that tell which row of a window goes where, beside the permutation.

// Splits a window by its pieces. Call it after WindowReader::HoldFiles, when the rows
// that pass the filter are known.
WindowSplit SplitPieces(const WindowReader& reader,
                        const std::vector<uint32_t>& permutation,
                        const std::vector<Run>& runs, const std::vector<Place>& places);

// Returns how many bytes the runs of a window take, and the segments of its split if it
// has one: those that do not grow with the window's rows.
int64_t IndexBytes(const WindowReader& reader, size_t num_runs, bool is_split);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_INDEX_H_
