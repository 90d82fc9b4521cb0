// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PADDED_BLOCK_H_
#define ROWFEED_CORE_DECODE_PADDED_BLOCK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/decode/column_block.h"
#include "core/decode/padding.h"
#include "core/decode/variable_block.h"
#include "core/io/buffer_pool.h"
#include "parquet/types.h"

namespace rowfeed {

// A FixedBlock of lists that are padded to `padding.length` units, which none is longer
// than. A row points to its slots or, if there is a dictionary, to indices (int32_t).
std::unique_ptr<ColumnBlock> MakePaddedBlock(int64_t num_rows, const Padding& padding,
                                             Unit unit, const parquet::ByteArray* rows,
                                             const uint8_t* dictionary,
                                             std::vector<Buffer> buffers);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PADDED_BLOCK_H_
