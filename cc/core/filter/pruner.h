// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_PRUNER_H_
#define ROWFEED_CORE_FILTER_PRUNER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/decode/pages/offset_index.h"
#include "core/filter/bounds_check.h"
#include "core/filter/page_bounds.h"
#include "core/filter/row_filter.h"
#include "core/filter/trusted_bounds.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// Which rows of a row group may pass a filter.
struct Candidates {
  std::vector<Interval> rows;  // ascending, apart from each other
  bool all_pass = false;       // all of the row group's rows do
  // What that rests on, unless none or all of the rows may pass: to be compared with
  // the values of the rows.
  std::vector<BelievedBounds> believed;

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
  // files. Unless it `uses_statistics`, it knows of directories alone, and reads
  // nothing. All arguments must outlive it.
  static Result<Pruner> Open(const Catalog& catalog, int32_t file_index,
                             const RowFilter& filter, const RandomAccessFile& file,
                             bool uses_statistics = true);

  Result<Candidates> Prune(const RowGroup& group);

  // Who wrote the file, as its footer says. Empty if the footer was not read.
  std::string created_by() const {
    return metadata_ == nullptr ? std::string() : metadata_->created_by();
  }

  // Of the footer, unless its directories rule the file out.
  Result<OffsetIndexes> ReadOffsetIndexes() const;

 private:
  Pruner(const RowFilter& filter, const RandomAccessFile& file)
      : filter_(&filter), file_(&file) {}

  void GuaranteePartitions(const Catalog& catalog, int32_t file_index);
  Status FindLeaves(const Catalog& catalog, int32_t file_index);
  Result<Candidates> PruneByStatistics(const RowGroup& group);
  // Returns the bounds of each of the filter's columns; nullopt: none are believed.
  std::vector<std::optional<Bounds>> BoundsOf(
      const parquet::RowGroupMetaData& group) const;
  // What directories and the footer guarantee of the filter's columns.
  std::vector<arrow::compute::Expression> Guarantees(
      const std::vector<std::optional<Bounds>>& bounds, bool with_floats) const;
  // Notes in `believed` which bloom filters it has asked.
  bool MayPassBlooms(const parquet::RowGroupMetaData& group,
                     const arrow::compute::Expression& expression,
                     std::vector<BelievedBounds>* believed);
  // That a chunk has a page index of which something follows.
  bool HasUsableIndex(const parquet::RowGroupMetaData& group, size_t column) const;
  // The rows that no page index rules out. One that is damaged rules out none. Notes in
  // `believed` what that rests on.
  Result<std::vector<Interval>> PruneByIndexes(
      const RowGroup& group, const parquet::RowGroupMetaData& metadata,
      const arrow::compute::Expression& expression,
      std::vector<BelievedBounds>* believed);
  std::vector<Interval> RowsThatMayPass(
      const PageBounds& pages, size_t column,
      const arrow::compute::Expression& expression) const;
  bool HasNaNSafeBounds(size_t column) const;

  const RowFilter* filter_;
  const RandomAccessFile* file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  bool uses_bounds_ = false;                            // Directories give bounds, too.
  bool allows_nan_ = false;                             // as of simplify.h
  std::vector<arrow::compute::Expression> partitions_;  // what directories guarantee
  bool is_pruned_ = false;                              // because of them
  bool all_pass_ = false;                               // for the same reason
  std::vector<int> leaves_;       // of the filter's columns, in the file; -1: in none
  std::vector<bool> has_bounds_;  // that are used
  std::vector<std::optional<TrustedBounds>> trusted_;  // nullopt: no column of the file
  std::optional<PageBoundsReader> pages_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_PRUNER_H_
