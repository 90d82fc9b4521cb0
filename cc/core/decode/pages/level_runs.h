// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_LEVEL_RUNS_H_
#define ROWFEED_CORE_DECODE_PAGES_LEVEL_RUNS_H_

#include <cstdint>

#include "core/decode/pages/page_list.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// Levels are stored as runs of the format's RLE / bit-packed hybrid coding. Most pages
// say only "all present" or "the next row starts here", which the runs tell without
// decoding one level per value.

// Whether `runs` are runs of `level` alone, `num_values` of them or more. False where
// only decoding can tell.
bool AllLevelsAre(int16_t level, int16_t max_level, Bytes runs, int64_t num_values);

// Appends the positions of the zeros among `num_values` repetition levels of lists
// (max_repetition_level 1): where rows start.
Status AppendRowStarts(Bytes runs, int64_t num_values, PooledArray<int32_t>* starts);

// How many of `num_values` repetition levels, none above max_level, are zeros: rows
// that start.
Result<int64_t> CountRowStarts(int16_t max_level, Bytes runs, int64_t num_values);

// Decodes exactly `num_values` levels, none above max_level.
Status DecodeLevels(int16_t max_level, Bytes runs, int64_t num_values, int16_t* levels);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_LEVEL_RUNS_H_
