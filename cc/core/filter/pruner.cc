// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/pruner.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "arrow/type.h"
#include "core/arrow_status.h"
#include "core/catalog/footer.h"
#include "core/filter/arrow_file.h"
#include "core/filter/bloom.h"
#include "core/filter/bounds.h"
#include "core/filter/simplify.h"
#include "parquet/page_index.h"
#include "parquet/statistics.h"

namespace rowfeed {
namespace {

using arrow::compute::Expression;

Bounds BoundsOf(const parquet::ColumnChunkMetaData& chunk) {
  Bounds bounds;
  bounds.num_values = chunk.num_values();
  const auto statistics = chunk.is_stats_set() ? chunk.statistics() : nullptr;
  if (!statistics) return bounds;
  if (statistics->HasNullCount()) bounds.num_nulls = statistics->null_count();
  if (statistics->HasMinMax()) {
    bounds.min = statistics->EncodeMin();
    bounds.max = statistics->EncodeMax();
  }
  return bounds;
}

std::vector<Interval> Intersect(const std::vector<Interval>& a,
                                const std::vector<Interval>& b) {
  std::vector<Interval> both;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval common{std::max(a[i].begin, b[j].begin),
                          std::min(a[i].end, b[j].end)};
    if (common.size() > 0) both.push_back(common);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return both;
}

// The rows of page i of an offset index.
Interval RowsOfPage(const std::vector<parquet::PageLocation>& pages, size_t i,
                    int64_t group_rows) {
  const int64_t end = i + 1 < pages.size() ? pages[i + 1].first_row_index : group_rows;
  return {pages[i].first_row_index, end};
}

bool IsSound(const parquet::ColumnIndex& index,
             const std::vector<parquet::PageLocation>& pages, int64_t group_rows) {
  if (pages.empty() || pages[0].first_row_index != 0) return false;
  const size_t n = pages.size();
  if (index.null_pages().size() != n || index.encoded_min_values().size() != n ||
      index.encoded_max_values().size() != n ||
      (index.has_null_counts() && index.null_counts().size() != n)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    if (RowsOfPage(pages, i, group_rows).size() <= 0) return false;
  }
  return true;
}

Bounds BoundsOf(const parquet::ColumnIndex& index, size_t page, int64_t rows) {
  Bounds bounds;
  bounds.num_values = rows;
  if (index.has_null_counts()) bounds.num_nulls = index.null_counts()[page];
  if (index.null_pages()[page]) {
    bounds.num_nulls = rows;
  } else {
    bounds.min = index.encoded_min_values()[page];
    bounds.max = index.encoded_max_values()[page];
  }
  return bounds;
}

// Joins `rows` to the last interval if they touch.
void Append(Interval rows, std::vector<Interval>* intervals) {
  if (!intervals->empty() && intervals->back().end == rows.begin) {
    intervals->back().end = rows.end;
  } else {
    intervals->push_back(rows);
  }
}

// The leaf of a column that is no list; -1: there is none.
int LeafOf(const Column& column, const parquet::SchemaDescriptor& schema) {
  const auto is_it = [&](int leaf) {
    return schema.Column(leaf)->path()->ToDotVector() == column.path;
  };
  // Found at once, but for paths of which the dots in their names make one.
  const int found = schema.ColumnIndex(column.name);
  if (found < 0 || is_it(found)) return found;
  for (int leaf = 0; leaf < schema.num_columns(); ++leaf) {
    if (is_it(leaf)) return leaf;
  }
  return -1;
}

bool IsTrue(const Expression& expression) {
  const arrow::Datum* value = expression.literal();
  return value != nullptr && value->is_scalar() &&
         value->scalar()->Equals(arrow::BooleanScalar(true));
}

}  // namespace

Result<Pruner> Pruner::Open(const Catalog& catalog, int32_t file_index,
                            const RowFilter& filter, const RandomAccessFile& file) {
  Pruner pruner(filter, file);
  pruner.uses_bounds_ = IsSimplifiedRightly(filter.expression());
  pruner.GuaranteePartitions(catalog, file_index);
  pruner.is_pruned_ =
      !Simplify(filter.expression(), pruner.partitions_).IsSatisfiable();
  if (pruner.is_pruned_) return pruner;
  ROWFEED_ASSIGN_OR_RETURN(Footer footer, ReadFooter(file));
  if (footer.digest != catalog.files()[file_index].footer_digest) {
    return Status::Corrupt(file.path(), " has another footer than when it was ",
                           "catalogued: it was rewritten");
  }
  pruner.metadata_ = std::move(footer.metadata);
  pruner.allows_nan_ = AllowsNaN(filter.expression());
  ROWFEED_RETURN_NOT_OK(pruner.FindLeaves(catalog).WithContext(file.path()));
  return pruner;
}

void Pruner::GuaranteePartitions(const Catalog& catalog, int32_t file_index) {
  partitions_ = {arrow::compute::literal(true)};  // By which constants are folded.
  if (!uses_bounds_) return;
  for (size_t i = 0; i < filter_->columns().size(); ++i) {
    const Column& column = catalog.columns()[filter_->columns()[i]];
    if (!column.is_partition) continue;
    const Constant constant =
        ConstantOf(column, catalog.files()[file_index].partitions);
    const std::optional<std::string>& value = constant.plain_value;
    partitions_.push_back(GuaranteeOf(*filter_->schema()->field(static_cast<int>(i)),
                                      {1, value ? 0 : 1, value, value}));
  }
}

Status Pruner::FindLeaves(const Catalog& catalog) {
  const parquet::SchemaDescriptor& schema = *metadata_->schema();
  for (size_t i = 0; i < filter_->columns().size(); ++i) {
    const Column& column = catalog.columns()[filter_->columns()[i]];
    if (column.is_partition) {
      leaves_.push_back(-1);
      has_bounds_.push_back(false);
      continue;
    }
    const int leaf = LeafOf(column, schema);
    if (leaf < 0) {
      return Status::Corrupt("no column '", column.name, "', which the catalog has");
    }
    leaves_.push_back(leaf);
    const arrow::DataType& type =
        *filter_->schema()->field(static_cast<int>(i))->type();
    has_bounds_.push_back(uses_bounds_ && HasBounds(*schema.Column(leaf), type));
  }
  return {};
}

parquet::ParquetFileReader& Pruner::reader() {
  if (!reader_) {
    reader_ = parquet::ParquetFileReader::Open(std::make_shared<ArrowFile>(file_),
                                               parquet::default_reader_properties(),
                                               metadata_);
  }
  return *reader_;
}

bool Pruner::HasNaNSafeBounds(size_t column) const {
  const arrow::DataType& type =
      *filter_->schema()->field(static_cast<int>(column))->type();
  return !arrow::is_floating(type.id());
}

std::vector<Expression> Pruner::Guarantees(const parquet::RowGroupMetaData& group,
                                           bool with_floats) const {
  std::vector<Expression> known = partitions_;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    if (!has_bounds_[i] || !(with_floats || HasNaNSafeBounds(i))) continue;
    const auto chunk = group.ColumnChunk(leaves_[i]);
    known.push_back(
        GuaranteeOf(*filter_->schema()->field(static_cast<int>(i)), BoundsOf(*chunk)));
  }
  return known;
}

Result<Candidates> Pruner::Prune(const RowGroup& group) {
  if (is_pruned_) return Candidates{};
  return CatchParquet([&]() -> Result<Candidates> {
    const auto metadata = metadata_->RowGroup(group.index);
    const Expression expression =
        Simplify(filter_->expression(), Guarantees(*metadata, allows_nan_));
    if (!expression.IsSatisfiable()) return Candidates{};
    const Interval all{0, group.rows};
    // A number that is NaN would have to pass, too.
    const Expression always =
        Simplify(filter_->expression(), Guarantees(*metadata, false));
    if (IsTrue(always)) return Candidates{{all}, true};
    if (!MayPassBlooms(*metadata, expression)) return Candidates{};
    ROWFEED_ASSIGN_OR_RETURN(std::vector<Interval> rows,
                             PruneByIndexes(group, *metadata, expression));
    return Candidates{std::move(rows), false};
  });
}

Result<OffsetIndexes> Pruner::ReadOffsetIndexes() const {
  return CatchParquet(
      [&]() -> Result<OffsetIndexes> { return OffsetIndexes::Of(*metadata_); });
}

Result<std::vector<Interval>> Pruner::PruneByIndexes(
    const RowGroup& group, const parquet::RowGroupMetaData& metadata,
    const Expression& expression) {
  std::vector<Interval> rows{{0, group.rows}};
  // The pages themselves may be whole where an index is damaged.
  const Status announced = CatchParquet([&]() -> Status {
    AnnounceIndexes(metadata, group.index);
    return {};
  });
  if (announced.code() == StatusCode::kCorrupt) return rows;
  ROWFEED_RETURN_NOT_OK(announced);
  for (size_t column = 0; column < leaves_.size(); ++column) {
    const auto pages = CatchParquet([&]() -> Result<std::vector<Interval>> {
      return PagesThatMayPass(group, column, expression);
    });
    if (pages.status().code() == StatusCode::kCorrupt) continue;
    ROWFEED_RETURN_NOT_OK(pages.status());
    rows = Intersect(rows, *pages);
  }
  return rows;
}

bool Pruner::MayPassBlooms(const parquet::RowGroupMetaData& group,
                           const Expression& expression) {
  std::map<std::string, std::optional<SplitBlockBloom>> read;
  return rowfeed::MayBeTrue(
      expression, [&](const std::string& name) -> const SplitBlockBloom* {
        const int column = filter_->schema()->GetFieldIndex(name);
        const int leaf = leaves_[column];
        if (leaf < 0) return nullptr;
        const auto offset = group.ColumnChunk(leaf)->bloom_filter_offset();
        if (!offset) return nullptr;
        const auto [found, is_new] = read.try_emplace(name);
        if (is_new) {
          auto bloom = SplitBlockBloom::Open(*file_, *offset);
          if (bloom.ok()) found->second = *std::move(bloom);
        }
        return found->second ? &*found->second : nullptr;
      });
}

bool Pruner::HasUsableIndex(const parquet::RowGroupMetaData& group,
                            size_t column) const {
  if (leaves_[column] < 0 || !has_bounds_[column]) return false;
  const auto chunk = group.ColumnChunk(leaves_[column]);
  return chunk->GetColumnIndexLocation() && chunk->GetOffsetIndexLocation() &&
         (allows_nan_ || HasNaNSafeBounds(column));
}

void Pruner::AnnounceIndexes(const parquet::RowGroupMetaData& group, int index) {
  std::vector<int32_t> leaves;
  for (size_t column = 0; column < leaves_.size(); ++column) {
    if (HasUsableIndex(group, column)) leaves.push_back(leaves_[column]);
  }
  const auto indexes = leaves.empty() ? nullptr : reader().GetPageIndexReader();
  if (indexes) indexes->WillNeed({index}, leaves, {true, true});
}

std::vector<Interval> Pruner::PagesThatMayPass(const RowGroup& group, size_t column,
                                               const Expression& expression) {
  std::vector<Interval> all{{0, group.rows}};
  const int leaf = leaves_[column];
  if (leaf < 0) return all;
  if (!HasUsableIndex(*metadata_->RowGroup(group.index), column)) return all;
  const auto indexes = reader().GetPageIndexReader();
  const auto of_group = indexes ? indexes->RowGroup(group.index) : nullptr;
  if (!of_group) return all;
  const auto index = of_group->GetColumnIndex(leaf);
  const auto offsets = of_group->GetOffsetIndex(leaf);
  if (!index || !offsets || !IsSound(*index, offsets->page_locations(), group.rows)) {
    return all;
  }
  const arrow::Field& field = *filter_->schema()->field(static_cast<int>(column));
  std::vector<Interval> pages;
  for (size_t page = 0; page < offsets->page_locations().size(); ++page) {
    const Interval rows = RowsOfPage(offsets->page_locations(), page, group.rows);
    const Bounds bounds = BoundsOf(*index, page, rows.size());
    if (Simplify(expression, {GuaranteeOf(field, bounds)}).IsSatisfiable()) {
      Append(rows, &pages);
    }
  }
  return pages;
}

}  // namespace rowfeed
