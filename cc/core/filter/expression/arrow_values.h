// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_EXPRESSION_ARROW_VALUES_H_
#define ROWFEED_CORE_FILTER_EXPRESSION_ARROW_VALUES_H_

#include <cstdint>
#include <memory>

#include "arrow/type_fwd.h"
#include "core/decode/column_decoder.h"
#include "core/io/buffer_pool.h"
#include "core/status.h"

namespace rowfeed {

// The decoded values of a column with one value per row, from which Arrow arrays are
// made.
class ArrowValues {
 public:
  // Decodes the rows of `request`. `type` is the FilterType of its column.
  static Result<ArrowValues> Decode(ChunkRequest request,
                                    std::shared_ptr<arrow::DataType> type,
                                    const std::shared_ptr<BufferPool>& pool);

  // Returns rows [begin, end) of the decoded rows as an Arrow array, nulls included.
  Result<std::shared_ptr<arrow::Array>> Slice(int64_t begin, int64_t end) const;

 private:
  ArrowValues(std::shared_ptr<arrow::DataType> type, const ColumnStorage& storage,
              PartBlocks blocks, bool has_mask)
      : type_(std::move(type)),
        storage_(storage),
        blocks_(std::move(blocks)),
        has_mask_(has_mask) {}

  Result<std::shared_ptr<arrow::Buffer>> SliceDecimals(int64_t begin, int64_t end,
                                                       const uint8_t* validity) const;

  std::shared_ptr<arrow::DataType> type_;
  ColumnStorage storage_;
  PartBlocks blocks_;  // the values, then the mask if there is one
  bool has_mask_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_EXPRESSION_ARROW_VALUES_H_
