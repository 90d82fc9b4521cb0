// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/pruner.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "arrow/type.h"
#include "core/arrow_status.h"
#include "core/catalog/footer.h"
#include "core/filter/bounds/bloom.h"
#include "core/filter/bounds/bounds.h"
#include "core/filter/bounds/index_extents.h"
#include "core/filter/bounds/trusted_bounds.h"
#include "core/filter/expression/simplify.h"
#include "core/filter/leaf_of_column.h"
#include "core/filter/row_intervals.h"
#include "core/io/coalesce.h"

namespace rowfeed {
namespace {

using arrow::compute::Expression;

// Bytes of page indexes that are kept in memory for one file.
constexpr int64_t kMaxFetchedBytes = int64_t{16} << 20;

// Returns how many bytes are fetched for an extent that comes after one which ends at
// `end`: small gaps are fetched as well.
int64_t FetchedBytes(const Extent& extent, int64_t end) {
  const int64_t gap = extent.offset - end;
  const bool is_fetched = gap > 0 && gap <= RequestSizes{}.max_gap;
  return extent.size + (is_fetched ? gap : 0);
}

}  // namespace

Result<Pruner> Pruner::Open(const Catalog& catalog, int32_t file_index,
                            const RowFilter& filter, const RandomAccessFile& file,
                            bool uses_statistics) {
  Pruner pruner(catalog, filter, file);
  pruner.uses_bounds_ = IsSimplifiedRightly(filter.expression());
  pruner.GuaranteePartitions(catalog, file_index);
  pruner.by_partitions_ = Simplify(filter.expression(), pruner.partitions_);
  pruner.is_pruned_ = !pruner.by_partitions_.IsSatisfiable();
  if (pruner.is_pruned_ || !uses_statistics || filter.columns().empty()) return pruner;
  ROWFEED_ASSIGN_OR_RETURN(Footer footer, ReadFooter(file));
  if (footer.digest != catalog.files()[file_index].footer_digest) {
    return Status::Corrupt(file.path(), " has another footer than when it was ",
                           "catalogued: it was rewritten");
  }
  pruner.metadata_ = std::move(footer.metadata);
  pruner.pages_.emplace(file, pruner.metadata_, std::move(footer.tail));
  pruner.allows_nan_ = AllowsNaN(filter.expression());
  ROWFEED_RETURN_NOT_OK(
      pruner.FindLeaves(catalog, file_index).WithContext(file.path()));
  return pruner;
}

void Pruner::GuaranteePartitions(const Catalog& catalog, int32_t file_index) {
  partitions_ = {arrow::compute::literal(true)};  // makes Simplify fold constants
  if (!uses_bounds_) return;
  for (size_t i = 0; i < filter_->columns().size(); ++i) {
    const auto constant = catalog.file_constant(file_index, filter_->columns()[i]);
    if (!constant) continue;
    const std::optional<std::string>& value = constant->plain_value;
    const arrow::Field& field = *filter_->schema()->field(static_cast<int>(i));
    const Bounds bounds{1, value ? 0 : 1, value, value};
    partitions_.push_back(value ? GuaranteeOfConstant(field, bounds)
                                : GuaranteeOf(field, bounds));
  }
}

Status Pruner::FindLeaves(const Catalog& catalog, int32_t file_index) {
  const parquet::SchemaDescriptor& schema = *metadata_->schema();
  for (size_t i = 0; i < filter_->columns().size(); ++i) {
    const Column& column = catalog.columns()[filter_->columns()[i]];
    if (catalog.file_constant(file_index, filter_->columns()[i])) {
      leaves_.push_back(-1);
      has_bounds_.push_back(false);
      trusted_.emplace_back();
      continue;
    }
    const int leaf = LeafOf(column, schema);
    if (leaf < 0) {
      return Status::Corrupt("no column '", column.name, "', which the catalog has");
    }
    leaves_.push_back(leaf);
    trusted_.emplace_back(TrustedBounds(*metadata_, leaf));
    const arrow::DataType& type =
        *filter_->schema()->field(static_cast<int>(i))->type();
    has_bounds_.push_back(uses_bounds_ && HasBounds(*schema.Column(leaf), type));
  }
  return {};
}

bool Pruner::HasNaNSafeBounds(size_t column) const {
  const arrow::DataType& type =
      *filter_->schema()->field(static_cast<int>(column))->type();
  return !arrow::is_floating(type.id());
}

std::vector<std::optional<Bounds>> Pruner::BoundsOf(
    const parquet::RowGroupMetaData& group) const {
  std::vector<std::optional<Bounds>> bounds(leaves_.size());
  for (size_t i = 0; i < leaves_.size(); ++i) {
    if (!has_bounds_[i] || !(allows_nan_ || HasNaNSafeBounds(i))) continue;
    bounds[i] = trusted_[i]->OfChunk(group);
  }
  return bounds;
}

Pruner::ByPlace Pruner::AskPlace(const RowGroup& group) const {
  ByPlace place{partitions_, by_partitions_};
  const auto num_decoded = static_cast<int>(filter_->columns().size());
  for (size_t i = 0; uses_bounds_ && i < filter_->computed().size(); ++i) {
    const auto range = filter_->computed()[i].RangeIn(*catalog_, group);
    if (!range) continue;
    const auto bytes = [](const int64_t& value) {
      return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    };
    place.known.push_back(
        GuaranteeOf(*filter_->schema()->field(num_decoded + static_cast<int>(i)),
                    {group.rows, 0, bytes(range->least), bytes(range->greatest)}));
    place.expression = Simplify(std::move(place.expression), {place.known.back()});
  }
  place.is_excluded = !place.expression.IsSatisfiable();
  place.all_pass = IsTrue(place.expression);
  return place;
}

std::vector<Expression> Pruner::Guarantees(
    const ByPlace& place, const std::vector<std::optional<Bounds>>& bounds,
    bool with_floats) const {
  std::vector<Expression> known = place.known;
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (!bounds[i] || !(with_floats || HasNaNSafeBounds(i))) continue;
    known.push_back(
        GuaranteeOf(*filter_->schema()->field(static_cast<int>(i)), *bounds[i]));
  }
  return known;
}

Result<Candidates> Pruner::Prune(const RowGroup& group) {
  if (is_pruned_) return Candidates{};
  const ByPlace place = AskPlace(group);
  if (place.is_excluded) return Candidates{};
  if (metadata_ == nullptr || place.all_pass) {
    return Candidates{{{0, group.rows}}, place.all_pass};
  }
  return CatchParquet([&] { return PruneByStatistics(group, place); });
}

Result<Pruner::ByFooter> Pruner::AskFooter(const parquet::RowGroupMetaData& group,
                                           const ByPlace& place) const {
  ByFooter footer;
  footer.bounds = BoundsOf(group);
  footer.expression = Simplify(filter_->expression(),
                               Guarantees(place, footer.bounds, /*with_floats=*/true));
  footer.is_excluded = !footer.expression.IsSatisfiable();
  // All rows pass only if NaN passes as well, so the bounds of floats are no proof
  // here.
  footer.all_pass =
      !footer.is_excluded &&
      IsTrue(Simplify(filter_->expression(),
                      Guarantees(place, footer.bounds, /*with_floats=*/false)));
  footer.relies_on_bounds =
      footer.all_pass || !footer.expression.Equals(place.expression);
  return footer;
}

Result<Candidates> Pruner::PruneByStatistics(const RowGroup& group,
                                             const ByPlace& place) {
  const auto metadata = metadata_->RowGroup(group.index);
  ROWFEED_ASSIGN_OR_RETURN(const ByFooter footer, AskFooter(*metadata, place));
  if (footer.relies_on_bounds) {
    ROWFEED_RETURN_NOT_OK(LookForLie(group, *metadata, footer.bounds));
  }
  Candidates candidates{{}, footer.all_pass, DecidedBy::kStatistics};
  if (footer.is_excluded || lie_) return candidates;
  if (footer.all_pass) {
    candidates.rows.push_back({0, group.rows});
    return candidates;
  }
  for (size_t i = 0; i < footer.bounds.size(); ++i) {
    candidates.believed.push_back({i, footer.bounds[i], {}, {}, nullptr});
  }
  if (!MayPassBlooms(*metadata, footer.expression, &candidates.believed)) {
    return Candidates{{}, false, DecidedBy::kBloomFilter};
  }
  candidates.by = DecidedBy::kPageIndex;
  ROWFEED_ASSIGN_OR_RETURN(
      candidates.rows,
      PruneByIndexes(group, *metadata, footer.expression, &candidates.believed));
  return candidates;
}

Result<size_t> Pruner::Fetch(const std::vector<RowGroup>& groups) {
  if (metadata_ == nullptr || is_pruned_ || !file_->is_remote()) return groups.size();
  return CatchParquet([&]() -> Result<size_t> {
    std::vector<Extent> extents;
    std::array<int64_t, 2> ends{};  // where the latest bounds and offsets end
    int64_t num_bytes = 0;
    bool has_undecided = false;
    size_t num_groups = 0;
    for (; num_groups < groups.size() && num_bytes < kMaxFetchedBytes; ++num_groups) {
      const ByPlace place = AskPlace(groups[num_groups]);
      if (place.is_excluded || place.all_pass) continue;
      const auto group = metadata_->RowGroup(groups[num_groups].index);
      ROWFEED_ASSIGN_OR_RETURN(const ByFooter footer, AskFooter(*group, place));
      if (footer.is_decided() && !footer.relies_on_bounds) continue;
      has_undecided = has_undecided || !footer.is_decided();
      const std::vector<Extent> of_group =
          IndexExtents(*group, LeavesOf(IndexedColumns(*group)), !footer.is_decided(),
                       file_->size());
      for (size_t i = 0; i < of_group.size(); ++i) {
        num_bytes += FetchedBytes(of_group[i], ends[i]);
        ends[i] = of_group[i].offset + of_group[i].size;
        extents.push_back(of_group[i]);
      }
    }
    ROWFEED_RETURN_NOT_OK(pages_->Fetch(extents, /*checks=*/has_undecided));
    return num_groups;
  });
}

Status Pruner::LookForLie(const RowGroup& group,
                          const parquet::RowGroupMetaData& metadata,
                          const std::vector<std::optional<Bounds>>& bounds) {
  const std::vector<size_t> columns = IndexedColumns(metadata);
  ROWFEED_ASSIGN_OR_RETURN(const bool is_readable, Announce(group, columns));
  if (!is_readable) return {};
  for (const size_t column : columns) {
    ROWFEED_ASSIGN_OR_RETURN(
        std::optional<std::string> what,
        pages_->FindLie(group, leaves_[column], *trusted_[column], *bounds[column]));
    if (what && !lie_) lie_ = BoundsCheck::Lie{column, *std::move(what)};
  }
  return {};
}

Result<OffsetIndexes> Pruner::ReadOffsetIndexes() const {
  return CatchParquet(
      [&]() -> Result<OffsetIndexes> { return OffsetIndexes::Of(*metadata_); });
}

Result<std::vector<Interval>> Pruner::PruneByIndexes(
    const RowGroup& group, const parquet::RowGroupMetaData& metadata,
    const Expression& expression, std::vector<BelievedBounds>* believed) {
  std::vector<Interval> rows{{0, group.rows}};
  const std::vector<size_t> columns = IndexedColumns(metadata);
  ROWFEED_ASSIGN_OR_RETURN(const bool is_readable, Announce(group, columns));
  if (!is_readable) return rows;
  std::vector<std::pair<size_t, PageBounds>> read;
  for (const size_t column : columns) {
    ROWFEED_ASSIGN_OR_RETURN(auto pages,
                             pages_->Read(group, leaves_[column], *trusted_[column],
                                          *(*believed)[column].chunk));
    if (!pages) continue;
    rows = Intersect(rows, RowsThatMayPass(*pages, column, expression));
    read.emplace_back(column, *std::move(pages));
  }
  for (auto& [column, pages] : read) {
    if (rows.empty() || rows.front().size() == group.rows) break;  // no row is left out
    BelievedBounds& of_column = (*believed)[column];
    for (size_t page = 0; page < pages.rows.size(); ++page) {
      if (Intersect({pages.rows[page]}, rows).empty()) continue;
      of_column.page_rows.push_back(pages.rows[page]);
      of_column.pages.push_back(std::move(pages.bounds[page]));
    }
  }
  return rows;
}

bool Pruner::MayPassBlooms(const parquet::RowGroupMetaData& group,
                           const Expression& expression,
                           std::vector<BelievedBounds>* believed) {
  std::set<int> opened;
  return rowfeed::MayBeTrue(
      expression, [&](const std::string& name) -> const SplitBlockBloom* {
        const int column = filter_->schema()->GetFieldIndex(name);
        if (column >= static_cast<int>(leaves_.size())) return nullptr;  // computed
        const int leaf = leaves_[column];
        if (leaf < 0 || !trusted_[column]->has_trusted_blooms()) return nullptr;
        auto& bloom = (*believed)[column].bloom;
        const auto chunk = group.ColumnChunk(leaf);
        const auto offset = chunk->bloom_filter_offset();
        if (offset && opened.insert(column).second) {
          auto found =
              SplitBlockBloom::Open(*file_, *offset, chunk->bloom_filter_length());
          if (found.ok() && *found) {
            bloom = std::make_shared<const SplitBlockBloom>(**std::move(found));
          }
        }
        return bloom.get();
      });
}

std::vector<size_t> Pruner::IndexedColumns(
    const parquet::RowGroupMetaData& group) const {
  std::vector<size_t> columns;
  for (size_t column = 0; column < leaves_.size(); ++column) {
    if (HasUsableIndex(group, column)) columns.push_back(column);
  }
  return columns;
}

std::vector<int32_t> Pruner::LeavesOf(const std::vector<size_t>& columns) const {
  std::vector<int32_t> leaves;
  leaves.reserve(columns.size());
  for (const size_t column : columns) leaves.push_back(leaves_[column]);
  return leaves;
}

Result<bool> Pruner::Announce(const RowGroup& group,
                              const std::vector<size_t>& columns) {
  const Status status = pages_->Announce(group, LeavesOf(columns));
  if (status.code() == StatusCode::kCorrupt) return false;
  ROWFEED_RETURN_NOT_OK(status);
  return true;
}

bool Pruner::HasUsableIndex(const parquet::RowGroupMetaData& group,
                            size_t column) const {
  if (leaves_[column] < 0 || !has_bounds_[column]) return false;
  const auto chunk = group.ColumnChunk(leaves_[column]);
  return chunk->GetColumnIndexLocation() && chunk->GetOffsetIndexLocation() &&
         (allows_nan_ || HasNaNSafeBounds(column));
}

std::vector<Interval> Pruner::RowsThatMayPass(const PageBounds& pages, size_t column,
                                              const Expression& expression) const {
  const arrow::Field& field = *filter_->schema()->field(static_cast<int>(column));
  std::vector<Interval> rows;
  for (size_t page = 0; page < pages.rows.size(); ++page) {
    const Expression guarantee = GuaranteeOf(field, pages.bounds[page]);
    if (Simplify(expression, {guarantee}).IsSatisfiable()) {
      Append(pages.rows[page], &rows);
    }
  }
  return rows;
}

}  // namespace rowfeed
