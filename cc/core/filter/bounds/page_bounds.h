// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_PAGE_BOUNDS_H_
#define ROWFEED_CORE_FILTER_BOUNDS_PAGE_BOUNDS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/filter/bounds/bounds.h"
#include "core/filter/bounds/trusted_bounds.h"
#include "core/io/fetched_file.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"
#include "core/status.h"
#include "parquet/file_reader.h"
#include "parquet/metadata.h"
#include "parquet/page_index.h"

namespace rowfeed {

// The rows of each page of one column in one row group, and what we believe about the
// values of each page. Both vectors have one entry per page.
struct PageBounds {
  std::vector<Interval> rows;  // rows of each page, counted within the row group
  std::vector<Bounds> bounds;
};

// Reads the page indexes of a Parquet file: for each page of a column, its rows and the
// bounds (least and greatest value, nulls) that the file states.
class PageBoundsReader {
 public:
  // `file` must outlive the reader. `tail` is the end of the file, which is kept in
  // memory: indexes that lie there are not read again.
  PageBoundsReader(const RandomAccessFile& file,
                   std::shared_ptr<parquet::FileMetaData> metadata, FetchedExtent tail)
      : source_(&file),
        file_(std::make_unique<FetchedFile>(&file)),
        metadata_(std::move(metadata)),
        tail_(std::move(tail)) {
    file_->Keep({tail_});
  }

  // Fetches parts of the file that will be read, if it is remote, with few requests.
  // They replace what was fetched before, but for the tail. `checks`: returns an error
  // if the file has changed. That is another request, which bytes that are only
  // compared do not need.
  Status Fetch(const std::vector<Extent>& extents, bool checks);

  // Says which columns' page indexes of a row group will be read, so that only these
  // are read, and only once. `leaves` are numbers of columns in the file, the same ones
  // in each call for one row group. Without this call, the indexes of all columns are
  // read. kCorrupt: the indexes cannot be read.
  Status Announce(const RowGroup& group, const std::vector<int32_t>& leaves);

  // Reads the page index of column `leaf` in a row group. Returns nullopt if the column
  // has no index, or one that is damaged or not believed. That is no error, as the
  // pages themselves may be sound. `chunk` is what trusted.OfChunk returned for the row
  // group.
  Result<std::optional<PageBounds>> Read(const RowGroup& group, int leaf,
                                         const TrustedBounds& trusted,
                                         const Bounds& chunk);

  // Compares the column index of column `leaf` with `chunk`, as TrustedBounds::FindLie
  // does. nullopt: it shows no lie, or it is damaged. Call Announce before.
  Result<std::optional<std::string>> FindLie(const RowGroup& group, int leaf,
                                             const TrustedBounds& trusted,
                                             const Bounds& chunk);

 private:
  parquet::ParquetFileReader& reader();
  // Returns the page indexes of a row group; nullptr if it has none.
  parquet::RowGroupPageIndexReader* IndexesOf(const RowGroup& group);
  std::optional<PageBounds> TryRead(const RowGroup& group, int leaf,
                                    const TrustedBounds& trusted, const Bounds& chunk);

  const RandomAccessFile* source_;
  std::unique_ptr<FetchedFile> file_;  // keeps its place for `reader_`
  std::shared_ptr<parquet::FileMetaData> metadata_;
  FetchedExtent tail_;
  std::unique_ptr<parquet::ParquetFileReader> reader_;  // made when it is first needed
  // The page indexes of the row group that was asked for last, which keep what they
  // have read.
  int64_t latest_group_ = -1;
  std::shared_ptr<parquet::RowGroupPageIndexReader> latest_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_PAGE_BOUNDS_H_
