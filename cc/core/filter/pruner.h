// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_PRUNER_H_
#define ROWFEED_CORE_FILTER_PRUNER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/offset_index.h"
#include "core/filter/row_filter.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"
#include "core/status.h"
#include "parquet/file_reader.h"
#include "parquet/metadata.h"

namespace rowfeed {

// Which rows of a row group may pass a filter.
struct Candidates {
  std::vector<Interval> rows;  // ascending, apart from each other
  bool all_pass = false;       // all of the row group's rows do

  // Neither all nor none of a row group.
  bool is_part_of(const RowGroup& group) const {
    return !rows.empty() && rows.front().size() < group.rows;
  }
};

// Tells it by what a file says of its values, without reading them: the directories
// that it lies in, statistics of the footer, then bloom filters, then page indexes.
// What may not be relied on is passed over, so that a row that passes is never left
// out.
class Pruner {
 public:
  // Reads, unless its directories rule it out, the footer of one of the catalog's
  // files. All arguments must outlive it.
  static Result<Pruner> Open(const Catalog& catalog, int32_t file_index,
                             const RowFilter& filter, const RandomAccessFile& file);

  Result<Candidates> Prune(const RowGroup& group);

  // Of the footer, unless its directories rule the file out.
  Result<OffsetIndexes> ReadOffsetIndexes() const;

 private:
  Pruner(const RowFilter& filter, const RandomAccessFile& file)
      : filter_(&filter), file_(&file) {}

  void GuaranteePartitions(const Catalog& catalog, int32_t file_index);
  Status FindLeaves(const Catalog& catalog);
  parquet::ParquetFileReader& reader();
  // What directories and the footer guarantee of the filter's columns.
  std::vector<arrow::compute::Expression> Guarantees(
      const parquet::RowGroupMetaData& group, bool with_floats) const;
  bool MayPassBlooms(const parquet::RowGroupMetaData& group,
                     const arrow::compute::Expression& expression);
  // That a chunk has a page index of which something follows.
  bool HasUsableIndex(const parquet::RowGroupMetaData& group, size_t column) const;
  // The rows that no page index rules out. One that is damaged rules out none.
  Result<std::vector<Interval>> PruneByIndexes(
      const RowGroup& group, const parquet::RowGroupMetaData& metadata,
      const arrow::compute::Expression& expression);
  // Says which indexes of a row group will be read: else those of all columns are. May
  // throw.
  void AnnounceIndexes(const parquet::RowGroupMetaData& group, int index);
  // Of the index of one column. May throw.
  std::vector<Interval> PagesThatMayPass(const RowGroup& group, size_t column,
                                         const arrow::compute::Expression& expression);
  bool HasNaNSafeBounds(size_t column) const;

  const RowFilter* filter_;
  const RandomAccessFile* file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  bool uses_bounds_ = false;                            // Directories give bounds, too.
  bool allows_nan_ = false;                             // as of simplify.h
  std::vector<arrow::compute::Expression> partitions_;  // what directories guarantee
  bool is_pruned_ = false;                              // because of them
  std::vector<int> leaves_;       // of the filter's columns, in the file; -1: in none
  std::vector<bool> has_bounds_;  // that are used
  std::unique_ptr<parquet::ParquetFileReader> reader_;  // made when needed
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_PRUNER_H_
