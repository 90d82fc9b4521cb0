// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/footer_trust.h"

#include <memory>

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "core/arrow_status.h"
#include "core/filter/bounds/trusted_bounds.h"
#include "parquet/file_reader.h"

namespace rowfeed {

Result<std::vector<std::vector<ChunkTrust>>> TrustOfFooter(
    std::string_view footer, const std::vector<int>& leaves) {
  using Trusts = std::vector<std::vector<ChunkTrust>>;
  return CatchParquet([&]() -> Result<Trusts> {
    const auto metadata =
        parquet::ParquetFileReader::Open(std::make_shared<arrow::io::BufferReader>(
                                             std::make_shared<arrow::Buffer>(footer)))
            ->metadata();
    Trusts trusts(metadata->num_row_groups());
    for (const int leaf : leaves) {
      if (leaf < 0 || leaf >= metadata->num_columns()) {
        return Status::Invalid("there is no column ", int64_t{leaf});
      }
      const TrustedBounds trusted(*metadata, leaf);
      for (int group = 0; group < metadata->num_row_groups(); ++group) {
        const Bounds bounds = trusted.OfChunk(*metadata->RowGroup(group));
        trusts[group].push_back({bounds.num_nulls.has_value(), bounds.min.has_value()});
      }
    }
    return trusts;
  });
}

}  // namespace rowfeed
