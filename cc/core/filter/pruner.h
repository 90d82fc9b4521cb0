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
#include "core/filter/bounds/bounds_check.h"
#include "core/filter/bounds/page_bounds.h"
#include "core/filter/bounds/trusted_bounds.h"
#include "core/filter/decided_rows.h"
#include "core/filter/expression/row_filter.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"
#include "core/status.h"
#include "parquet/metadata.h"

namespace rowfeed {

// The rows of a row group that may pass a filter.
struct Candidates {
  std::vector<Interval> rows;  // ascending intervals that do not touch
  bool all_pass = false;       // all rows of the row group certainly pass
  // What decided about the rows that need not be read: all rows if all_pass, else those
  // that are not in `rows`.
  DecidedBy by = DecidedBy::kPlace;
  // The statements of the file that were believed to find `rows`, for comparison with
  // the values of these rows. Empty if none or all of the rows pass.
  std::vector<BelievedBounds> believed = {};

  // Whether some but not all rows of the row group may pass.
  bool is_part_of(const RowGroup& group) const {
    return !rows.empty() && rows.front().size() < group.rows;
  }
};

// Finds out which rows of a file may pass a filter by what the file says about its
// values, without reading them: first the directories in the file's path and the place
// of the row group, then statistics in the footer, then bloom filters, then page
// indexes. A statement that may be wrong is ignored, so that a row that passes is never
// left out.
class Pruner {
 public:
  // Reads the footer of one of the catalog's files, unless the directories in its path
  // already rule out all of its rows, or the filter has no column that is decoded. If
  // uses_statistics is false, only directories and places are considered, and nothing
  // is read. All references must outlive the pruner.
  static Result<Pruner> Open(const Catalog& catalog, int32_t file_index,
                             const RowFilter& filter, const RandomAccessFile& file,
                             bool uses_statistics = true);

  // Fetches what Prune will read of the page indexes of row groups, if the file is
  // remote: one request for those of many row groups. Takes groups from the front while
  // their indexes have no more than some MiB, and returns how many it took, at least
  // one. Without this call, Prune makes requests of its own.
  Result<size_t> Fetch(const std::vector<RowGroup>& groups);

  Result<Candidates> Prune(const RowGroup& group);

  // A statement of the file about a row group that Prune has found to be contradicted
  // by another one. The candidates of all of the file's row groups are then worthless.
  const std::optional<BoundsCheck::Lie>& found_lie() const { return lie_; }

  // The name of the program that wrote the file, as its footer says. Empty if the
  // footer was not read.
  std::string created_by() const {
    return metadata_ == nullptr ? std::string() : metadata_->created_by();
  }

  // Returns the places of the file's offset indexes. Call it only if the footer was
  // read.
  Result<OffsetIndexes> ReadOffsetIndexes() const;

 private:
  Pruner(const Catalog& catalog, const RowFilter& filter, const RandomAccessFile& file)
      : catalog_(&catalog), filter_(&filter), file_(&file) {}

  void GuaranteePartitions(const Catalog& catalog, int32_t file_index);
  // What is known about a row group by its place alone: by the directories of its file,
  // and by the columns of the filter that are computed.
  struct ByPlace {
    // Expressions that are true for all rows.
    std::vector<arrow::compute::Expression> known;
    arrow::compute::Expression expression;  // what is left of the filter
    bool is_excluded = false;               // no row passes
    bool all_pass = false;
  };
  ByPlace AskPlace(const RowGroup& group) const;
  Status FindLeaves(const Catalog& catalog, int32_t file_index);
  // What the bounds in the footer say about a row group.
  struct ByFooter {
    std::vector<std::optional<Bounds>> bounds;  // what BoundsOf returns
    arrow::compute::Expression expression;      // what is left of the filter
    bool is_excluded = false;                   // no row passes
    bool all_pass = false;
    bool relies_on_bounds = false;  // the place of the row group alone says less

    bool is_decided() const { return is_excluded || all_pass; }
  };
  Result<ByFooter> AskFooter(const parquet::RowGroupMetaData& group,
                             const ByPlace& place) const;
  Result<Candidates> PruneByStatistics(const RowGroup& group, const ByPlace& place);
  // Compares the bounds in the footer with the page indexes that the row group has, and
  // stores what contradicts them in `lie_`.
  Status LookForLie(const RowGroup& group, const parquet::RowGroupMetaData& metadata,
                    const std::vector<std::optional<Bounds>>& bounds);
  // Returns the filter's columns whose chunks have a usable page index.
  std::vector<size_t> IndexedColumns(const parquet::RowGroupMetaData& group) const;
  std::vector<int32_t> LeavesOf(const std::vector<size_t>& columns) const;
  // Announces the page indexes of `columns`. Returns false if they cannot be read.
  Result<bool> Announce(const RowGroup& group, const std::vector<size_t>& columns);
  // Returns what is believed about each of the filter's columns in a row group;
  // nullopt: nothing.
  std::vector<std::optional<Bounds>> BoundsOf(
      const parquet::RowGroupMetaData& group) const;
  // Returns expressions that are true for all rows, by `place` and by `bounds`. If
  // with_floats is false, columns of floats, which may hold NaN, are left out.
  std::vector<arrow::compute::Expression> Guarantees(
      const ByPlace& place, const std::vector<std::optional<Bounds>>& bounds,
      bool with_floats) const;
  // Whether the bloom filters of a row group leave it possible that `expression` is
  // true for a row. Stores the filters that were asked in `believed`.
  bool MayPassBlooms(const parquet::RowGroupMetaData& group,
                     const arrow::compute::Expression& expression,
                     std::vector<BelievedBounds>* believed);
  // Whether the column's chunk has a page index from which we can conclude anything.
  bool HasUsableIndex(const parquet::RowGroupMetaData& group, size_t column) const;
  // Returns the rows that no page index rules out. A damaged index rules out no row.
  // Stores in `believed` the statements that this relies on.
  Result<std::vector<Interval>> PruneByIndexes(
      const RowGroup& group, const parquet::RowGroupMetaData& metadata,
      const arrow::compute::Expression& expression,
      std::vector<BelievedBounds>* believed);
  std::vector<Interval> RowsThatMayPass(
      const PageBounds& pages, size_t column,
      const arrow::compute::Expression& expression) const;
  bool HasNaNSafeBounds(size_t column) const;

  const Catalog* catalog_;
  const RowFilter* filter_;
  const RandomAccessFile* file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  // Whether Arrow simplifies the filter correctly by bounds (IsSimplifiedRightly).
  // False: neither statistics nor directories are used.
  bool uses_bounds_ = false;
  bool allows_nan_ = false;  // the filter's AllowsNaN (simplify.h)
  // What the directories leave of the filter.
  arrow::compute::Expression by_partitions_;
  // Expressions that the directories make true for all rows of the file.
  std::vector<arrow::compute::Expression> partitions_;
  bool is_pruned_ = false;  // directories rule out all rows
  // For each of the filter's columns, its number in the file's schema; -1: the file
  // does not store it.
  std::vector<int> leaves_;
  std::vector<bool> has_bounds_;  // for each column: are its bounds used?
  // For each of the filter's columns, which of its statistics are believed; nullopt:
  // the file does not store the column.
  std::vector<std::optional<TrustedBounds>> trusted_;
  std::optional<PageBoundsReader> pages_;
  std::optional<BoundsCheck::Lie> lie_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_PRUNER_H_
