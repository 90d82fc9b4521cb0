// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_PAGE_BOUNDS_H_
#define ROWFEED_CORE_FILTER_PAGE_BOUNDS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/filter/bounds.h"
#include "core/filter/trusted_bounds.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"
#include "core/status.h"
#include "parquet/file_reader.h"
#include "parquet/metadata.h"

namespace rowfeed {

// The pages of a column in a row group, and what is believed of each.
struct PageBounds {
  std::vector<Interval> rows;
  std::vector<Bounds> bounds;
};

// Reads the page indexes of a file.
class PageBoundsReader {
 public:
  // `file` must outlive it.
  PageBoundsReader(const RandomAccessFile& file,
                   std::shared_ptr<parquet::FileMetaData> metadata)
      : file_(&file), metadata_(std::move(metadata)) {}

  // Says which indexes of a row group will be read, by the numbers of their
  // columns in the file: else those of all columns are. kCorrupt: they cannot
  // be read.
  Status Announce(const RowGroup& group, const std::vector<int32_t>& leaves);

  // nullopt: the column has no index, or one that is not believed, or is
  // damaged: the pages themselves may be whole. `chunk` as of
  // TrustedBounds::OfChunk.
  Result<std::optional<PageBounds>> Read(const RowGroup& group, int leaf,
                                         const TrustedBounds& trusted,
                                         const Bounds& chunk);

 private:
  parquet::ParquetFileReader& reader();
  std::optional<PageBounds> TryRead(const RowGroup& group, int leaf,
                                    const TrustedBounds& trusted, const Bounds& chunk);

  const RandomAccessFile* file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::unique_ptr<parquet::ParquetFileReader> reader_;  // made when needed
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_PAGE_BOUNDS_H_
