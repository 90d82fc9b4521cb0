// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_GATHER_ROWS_H_
#define ROWFEED_CORE_BATCH_GATHER_ROWS_H_

#include <cstdint>

namespace rowfeed {

// Writes rows from[0], from[1], ... of `in` side by side to `out`. Numbers go around
// the caches where the machine can: a batch is read long after, by another thread, and
// would push out the rows that are read at random here. Before another thread is told
// of them: FenceRows.
void GatherRows(const uint8_t* in, const uint32_t* from, int64_t count, int64_t width,
                uint8_t* out);

// The same with every from_step-th of `from`; rows are written `out_step` apart.
void GatherRows(const uint8_t* in, const uint32_t* from, int64_t from_step,
                int64_t count, int64_t width, uint8_t* out, int64_t out_step);
// As the first, of few rows; written `out_step` apart.
void GatherRows(const uint8_t* in, const uint16_t* from, int64_t count, int64_t width,
                uint8_t* out, int64_t out_step);

// What GatherRows has written is seen before what is written from now on. It waits for
// memory, so once for many small batches.
void FenceRows();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_GATHER_ROWS_H_
