// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// "Format" below is the Parquet format's parquet.thrift.
#include "core/filter/bounds/trusted_bounds.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/arrow_status.h"
#include "core/filter/bounds/chunk_lie.h"
#include "parquet/statistics.h"

namespace rowfeed {
namespace {

using Key = BoundOrder::Key;

// Whether a histogram of definition levels agrees that `num_nulls` of `rows` values are
// null. For a column of one value per row. The histogram has one entry for each level
// (Format, SizeStatistics).
bool HasNulls(const int64_t* histogram, size_t num_levels, int64_t rows,
              int64_t num_nulls) {
  const int64_t sum = std::accumulate(histogram, histogram + num_levels, int64_t{0});
  return sum == rows && rows - histogram[num_levels - 1] == num_nulls;
}

}  // namespace

TrustedBounds::TrustedBounds(const parquet::FileMetaData& metadata, int leaf)
    : metadata_(&metadata),
      column_(metadata.schema()->Column(leaf)),
      leaf_(leaf),
      faults_(FaultsOf(metadata, leaf)),
      order_(*column_) {}

Bounds TrustedBounds::OfChunk(const parquet::RowGroupMetaData& group) const {
  Bounds unknown;
  unknown.num_values = group.num_rows();
  const auto bounds = CatchParquet([&]() -> Result<Bounds> {
    const auto chunk = group.ColumnChunk(leaf_);
    const bool is_list = column_->max_repetition_level() > 0;
    return ReadChunk(*chunk, is_list ? chunk->num_values() : group.num_rows());
  });
  return bounds.ok() ? *bounds : unknown;
}

Bounds TrustedBounds::ReadChunk(const parquet::ColumnChunkMetaData& chunk,
                                int64_t rows) const {
  Bounds unknown;
  unknown.num_values = rows;
  // Format: num_values counts nulls as well, so a column of one value per row has as
  // many values as rows.
  if (chunk.num_values() != rows) return unknown;
  // encoded_statistics() leaves out statistics of writers that Arrow knows to compare
  // strings and unsigned numbers wrongly.
  const auto statistics = chunk.encoded_statistics();
  if (statistics == nullptr) return unknown;
  Bounds bounds = unknown;
  if (statistics->has_null_count) bounds.num_nulls = statistics->null_count;
  if (statistics->has_min && statistics->has_max) {
    bounds.min = statistics->min();
    bounds.max = statistics->max();
    // Writers cut long values, and not all of them then make the greatest one larger,
    // as they should (segmentio/parquet-go#495). The file's statement that the maximum
    // is exact (Format, is_max_value_exact) is believed only where it matters most: in
    // chunks of one value.
    bounds.max_is_exact = statistics->is_max_value_exact.value_or(false);
    const bool is_one_value = bounds.max_is_exact && bounds.min == bounds.max;
    bounds.max_may_be_cut = order_.may_be_cut() && !is_one_value;
  }
  const auto sizes = chunk.size_statistics();
  if (sizes && bounds.num_nulls && column_->max_repetition_level() == 0) {
    const auto& levels = sizes->definition_level_histogram;
    if (!levels.empty() &&
        !HasNulls(levels.data(), levels.size(), rows, *bounds.num_nulls)) {
      return unknown;
    }
  }
  if (sizes && !HasBytesOfOneValue(bounds, *sizes)) return unknown;
  if (!Clean(&bounds)) return unknown;
  if (faults_.bounds) bounds.DropMinMax();
  if (faults_.null_counts) bounds.num_nulls.reset();
  return bounds;
}

// Format, SizeStatistics: unencoded_byte_array_data_bytes are the bytes of all values
// without their lengths. The size of a dictionary is no such proof: Arrow writes the
// values of a dictionary that a chunk does not use as well.
bool TrustedBounds::HasBytesOfOneValue(const Bounds& bounds,
                                       const parquet::SizeStatistics& sizes) const {
  const std::optional<int64_t>& num_bytes = sizes.unencoded_byte_array_data_bytes;
  const bool is_one_value =
      bounds.min && bounds.max_is_exact && bounds.min == bounds.max;
  if (!is_one_value || !order_.may_be_cut() || !num_bytes) return true;
  const auto length = static_cast<int64_t>(bounds.min->size());
  if (length == 0 || *num_bytes % length != 0) return *num_bytes == 0 && length == 0;
  const int64_t num_valid = *num_bytes / length;
  return bounds.num_nulls ? num_valid == bounds.num_values - *bounds.num_nulls
                          : num_valid <= bounds.num_values;
}

std::optional<std::string> TrustedBounds::FindLie(const parquet::ColumnIndex& index,
                                                  const Bounds& chunk) const {
  return LieOfChunk(order_, index, chunk);
}

bool TrustedBounds::Clean(Bounds* bounds) const {
  if (bounds->num_nulls) {
    const int64_t nulls = *bounds->num_nulls;
    // parquet-mr writes -1 if it does not count nulls; cudf before 21.12 writes more
    // nulls than values (NVIDIA/cudf#9221).
    if (nulls < 0 || nulls > bounds->num_values) return false;
    if (nulls > 0 && column_->max_definition_level() == 0) return false;
    // If all values are null, there can be no bounds.
    if (nulls == bounds->num_values && bounds->num_values > 0 && bounds->min) {
      return false;
    }
  }
  if (!bounds->min) return true;
  // Format, ColumnOrder: without a column order, bounds must not be used. Types without
  // a defined order have none.
  if (!order_.is_defined()) {
    bounds->DropMinMax();
    return true;
  }
  const std::optional<Key> min = order_.KeyOf(*bounds->min);
  const std::optional<Key> max = order_.KeyOf(*bounds->max);
  if (!min || !max) return false;
  // Format, TypeDefinedOrder: NaN is no bound.
  if (BoundOrder::IsNaN(*min) || BoundOrder::IsNaN(*max)) {
    bounds->DropMinMax();
    return true;
  }
  return !(*max < *min);
}

std::optional<Bounds> TrustedBounds::OfPage(const parquet::ColumnIndex& index,
                                            size_t page, int64_t rows) const {
  Bounds bounds;
  bounds.num_values = rows;
  if (index.has_null_counts()) bounds.num_nulls = index.null_counts()[page];
  // Format, ColumnIndex: a page with only nulls has no bounds; all other pages have
  // them.
  const bool is_null = index.null_pages()[page];
  if (bounds.num_nulls && (*bounds.num_nulls == rows) != is_null) return std::nullopt;
  const std::string& min = index.encoded_min_values()[page];
  const std::string& max = index.encoded_max_values()[page];
  if (is_null) {
    if (!min.empty() || !max.empty()) return std::nullopt;
    bounds.num_nulls = rows;
  } else {
    bounds.min = min;
    bounds.max = max;
    // The index does not say whether the greatest value of a page was cut, and made
    // larger then.
    bounds.max_may_be_cut = order_.may_be_cut();
  }
  if (index.has_definition_level_histograms() && bounds.num_nulls) {
    const size_t num_levels = column_->max_definition_level() + 1;
    const auto& levels = index.definition_level_histograms();
    if (levels.size() != num_levels * index.null_pages().size()) return std::nullopt;
    if (!HasNulls(levels.data() + page * num_levels, num_levels, rows,
                  *bounds.num_nulls)) {
      return std::nullopt;
    }
  }
  if (!Clean(&bounds)) return std::nullopt;
  return bounds;
}

std::optional<std::vector<Bounds>> TrustedBounds::OfPages(
    const parquet::ColumnIndex& index, const std::vector<Interval>& page_rows,
    const Bounds& chunk) const {
  if (!order_.is_defined() || faults_.bounds || faults_.null_counts) {
    return std::nullopt;
  }
  // Arrow makes this check before it returns statistics of chunks, but not before it
  // returns a column index. `none` has no equal bounds, the only case in which the
  // check might be less strict.
  parquet::EncodedStatistics none;
  if (!metadata_->writer_version().HasCorrectStatistics(column_->physical_type(), none,
                                                        column_->sort_order())) {
    return std::nullopt;
  }
  const size_t num_pages = page_rows.size();
  if (index.null_pages().size() != num_pages ||
      index.encoded_min_values().size() != num_pages ||
      index.encoded_max_values().size() != num_pages ||
      (index.has_null_counts() && index.null_counts().size() != num_pages)) {
    return std::nullopt;
  }
  std::vector<Bounds> pages;
  for (size_t page = 0; page < num_pages; ++page) {
    auto bounds = OfPage(index, page, page_rows[page].size());
    if (!bounds) return std::nullopt;
    pages.push_back(*std::move(bounds));
  }
  if (!AreInOrder(index.boundary_order(), pages) || !Agree(pages, chunk)) {
    return std::nullopt;
  }
  return pages;
}

bool TrustedBounds::AreInOrder(parquet::BoundaryOrder::type order,
                               const std::vector<Bounds>& pages) const {
  if (order == parquet::BoundaryOrder::Unordered) return true;
  const Bounds* last = nullptr;
  for (const Bounds& page : pages) {
    if (!page.min) continue;
    if (last != nullptr) {
      const bool ascends = order == parquet::BoundaryOrder::Ascending;
      const Bounds& lower = ascends ? *last : page;
      const Bounds& upper = ascends ? page : *last;
      if (*order_.KeyOf(*upper.min) < *order_.KeyOf(*lower.min) ||
          *order_.KeyOf(*upper.max) < *order_.KeyOf(*lower.max)) {
        return false;
      }
    }
    last = &page;
  }
  return true;
}

// Whether the pages together have the bounds and the number of nulls that the chunk
// has.
bool TrustedBounds::Agree(const std::vector<Bounds>& pages, const Bounds& chunk) const {
  int64_t num_nulls = 0;
  bool are_counted = true;
  bool are_bounded = chunk.min.has_value();
  const Bounds* least = nullptr;
  const Bounds* greatest = nullptr;
  for (const Bounds& page : pages) {
    are_counted = are_counted && page.num_nulls.has_value();
    num_nulls += page.num_nulls.value_or(0);
    if (!page.min) {  // a bound is NaN, or all values are null
      are_bounded = are_bounded && page.num_nulls == page.num_values;
      continue;
    }
    const auto is_less = [&](const std::string& a, const std::string& b) {
      return *order_.KeyOf(a) < *order_.KeyOf(b);
    };
    if (least == nullptr || is_less(*page.min, *least->min)) least = &page;
    if (greatest == nullptr || is_less(*greatest->max, *page.max)) greatest = &page;
  }
  if (are_counted && chunk.num_nulls && num_nulls != *chunk.num_nulls) return false;
  if (!are_bounded) return true;
  if (least == nullptr) return false;
  if (!order_.may_be_cut()) {
    return order_.KeyOf(*least->min) == order_.KeyOf(*chunk.min) &&
           order_.KeyOf(*greatest->max) == order_.KeyOf(*chunk.max);
  }
  // The bounds of chunk or pages may have been cut. The two least values must then
  // begin alike. An exact maximum of the chunk must not be above that of all pages,
  // unless theirs was cut and not made larger.
  const bool begin_alike =
      least->min->starts_with(*chunk.min) || chunk.min->starts_with(*least->min);
  return begin_alike && (!chunk.max_is_exact || *greatest->max >= *chunk.max ||
                         chunk.max->starts_with(*greatest->max));
}

std::optional<std::vector<Interval>> RowsOfPages(
    const std::vector<parquet::PageLocation>& pages, int64_t group_rows) {
  if (pages.empty() || pages[0].first_row_index != 0) return std::nullopt;
  std::vector<Interval> rows;
  for (size_t i = 0; i < pages.size(); ++i) {
    const int64_t end =
        i + 1 < pages.size() ? pages[i + 1].first_row_index : group_rows;
    rows.push_back({pages[i].first_row_index, end});
    if (rows.back().size() <= 0) return std::nullopt;
  }
  return rows;
}

}  // namespace rowfeed
