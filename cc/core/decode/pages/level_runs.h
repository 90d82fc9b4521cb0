// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PAGES_LEVEL_RUNS_H_
#define ROWFEED_CORE_DECODE_PAGES_LEVEL_RUNS_H_

#include <cstdint>

#include "core/decode/pages/page_list.h"
#include "core/io/pooled_array.h"
#include "core/status.h"

namespace rowfeed {

// Functions that read a page's levels, which are stored as runs in the format's RLE /
// bit-packed hybrid coding. Most pages say only "all values are present" or "each value
// begins a row", which the runs tell without decoding one level per value.

// Whether all of the first `num_values` levels are equal to `level`. Answers false
// where a bit-packed run would have to be decoded to know.
bool AllLevelsAre(int16_t level, int16_t max_level, Bytes runs, int64_t num_values);

// Appends the positions at which rows start: those of the zeros among `num_values`
// repetition levels. Only for lists without lists inside (max_repetition_level 1).
Status AppendRowStarts(Bytes runs, int64_t num_values, PooledArray<int32_t>* starts);

// Returns how many rows start in a page: the number of zeros among its `num_values`
// repetition levels, none of which is above `max_level`.
Result<int64_t> CountRowStarts(int16_t max_level, Bytes runs, int64_t num_values);

// Decodes exactly `num_values` levels, none above max_level.
Status DecodeLevels(int16_t max_level, Bytes runs, int64_t num_values, int16_t* levels);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PAGES_LEVEL_RUNS_H_
