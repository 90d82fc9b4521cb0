// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_PROVENANCE_BLOCK_H_
#define ROWFEED_CORE_DECODE_BLOCKS_PROVENANCE_BLOCK_H_

#include <cstdint>
#include <memory>

#include "core/catalog/catalog.h"
#include "core/catalog/schema/provenance.h"
#include "core/decode/blocks/column_block.h"

namespace rowfeed {

// Makes a block that says where rows [begin_row, end_row) of `group` come from (file,
// row group or row number). It computes its values, and needs neither memory nor a
// file. Where the values say when a row is delivered they are 0: the block does not
// know the batch, whose builder writes them (BatchBuilder::FillMoments).
std::unique_ptr<ColumnBlock> MakeProvenanceBlock(Provenance provenance,
                                                 const RowGroup& group,
                                                 int64_t begin_row, int64_t end_row);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_PROVENANCE_BLOCK_H_
