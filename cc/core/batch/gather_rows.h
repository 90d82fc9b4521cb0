// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_GATHER_ROWS_H_
#define ROWFEED_CORE_BATCH_GATHER_ROWS_H_

#include <cstdint>

namespace rowfeed {

// Writes the rows from[0], from[1], ... of `in` side by side to `out`. Each row has
// `width` bytes. Rows of four and eight bytes bypass the CPU's caches where the machine
// can do that. The batch is read much later, by another thread, and would push out of
// the caches the rows that are read at random here. Call FenceRows before another
// thread is told of the rows.
void GatherRows(const uint8_t* in, const uint32_t* from, int64_t count, int64_t width,
                uint8_t* out);

// Does the same with every from_step-th element of `from`. Writes rows `out_step` rows
// apart.
void GatherRows(const uint8_t* in, const uint32_t* from, int64_t from_step,
                int64_t count, int64_t width, uint8_t* out, int64_t out_step);
// Does the same with an input of at most 2^16 rows. Writes rows `out_step` rows apart.
void GatherRows(const uint8_t* in, const uint16_t* from, int64_t count, int64_t width,
                uint8_t* out, int64_t out_step);

// Makes what GatherRows has written visible before what is written from now on. It
// waits for memory, so call it once for many small batches.
void FenceRows();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_GATHER_ROWS_H_
