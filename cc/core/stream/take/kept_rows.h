// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_TAKE_KEPT_ROWS_H_
#define ROWFEED_CORE_STREAM_TAKE_KEPT_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/decode/blocks/column_block.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"
#include "core/stream/take/block_cache.h"

namespace rowfeed {

// Rows of one variable part of a block, kept until the batch knows where they go. It is
// the block itself, or a copy of the rows if that is smaller.
class KeptRows {
 public:
  // Where the rows come from and go to.
  struct Source {
    int64_t row_group;
    size_t spec;
    size_t part;  // index of a part of the batch
  };

  // Keeps the rows of `selection` in part `index` of `block`. The slots of `selection`
  // must outlive the result.
  static Result<KeptRows> Keep(const Source& source,
                               std::shared_ptr<const DecodedBlock> block, size_t index,
                               const Selection& selection, int64_t unit_bytes,
                               const std::shared_ptr<BufferPool>& buffers);

  const Source& source() const { return source_; }
  // Whether GatherUnits reads from a file.
  bool reads_file() const { return block_ != nullptr && block_->reads_file; }

  void GatherLengths(BatchBuilder* builder) const;
  Status GatherUnits(BatchBuilder* builder) const;

 private:
  KeptRows(const Source& source, std::shared_ptr<const DecodedBlock> block,
           size_t index, const Selection& selection);

  const VariableBlock& rows() const {
    return copy_ ? *copy_ : static_cast<const VariableBlock&>(*block_->parts[index_]);
  }
  // Makes copy_ of the rows. Row i has the units from offsets[i] to offsets[i + 1].
  Status Copy(const std::vector<int64_t>& offsets, int64_t unit_bytes,
              const std::shared_ptr<BufferPool>& buffers);

  Source source_;
  std::shared_ptr<const DecodedBlock> block_;  // null if there is a copy
  size_t index_;
  std::unique_ptr<VariableBlock> copy_;
  std::vector<RowRun> runs_;  // ranges of rows() that are kept, and their slots
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_TAKE_KEPT_ROWS_H_
