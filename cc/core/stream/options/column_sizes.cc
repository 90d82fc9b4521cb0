// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/column_sizes.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "core/batch/bucket_shuffle.h"
#include "core/ceil_div.h"
#include "core/decode/chunk/chunk_memory.h"
#include "core/decode/file_rows.h"
#include "core/decode/row_placer.h"
#include "core/filter/expression/row_filter.h"
#include "core/plan/blocks.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/column_spec.h"
#include "core/stream/options/fetched_bytes.h"
#include "core/stream/options/gather_ways.h"
#include "core/stream/options/merge_limit.h"

namespace rowfeed {
namespace {

// Returns how many bytes the units of a chunk take in batches. The footer does not say
// that of strings in a dictionary: for these it is about what they take in the file.
double UnitBytes(const Column& column, const std::vector<Part>& parts,
                 const ColumnChunk& chunk) {
  const auto num_values = static_cast<double>(chunk.num_values);
  double bytes = 0;
  for (const Part& part : parts) {
    const bool is_text = part.kind == Part::Kind::kValues && column.is_bytes();
    const int64_t per_unit =
        is_text ? 1 : column.unit_bytes() / DecodedValueBytes(column);
    bytes += is_text ? 1024.0 * chunk.uncompressed_kib
                     : num_values * static_cast<double>(part.unit_bytes) /
                           static_cast<double>(per_unit);
  }
  return bytes;
}

std::vector<int> FilterIndexes(const Catalog& catalog, const StreamOptions& options) {
  if (options.filter.empty()) return {};
  const Result<std::shared_ptr<const RowFilter>> filter =
      RowFilter::Make(options.filter, catalog);
  // Validate reports the error.
  return filter.ok() ? (*filter)->columns() : std::vector<int>();
}

// Returns about how often each byte of a row group is fetched. Blocks of a row group
// are fetched one by one. A block is fetched by its pages; but under a filter the whole
// chunks are fetched for each block, because its pages are not known yet.
double TimesFetched(int64_t group_rows, const StreamOptions& options) {
  const auto blocks =
      static_cast<double>(NumBlocks(group_rows, options.order.block_rows));
  return options.filter.empty() ? std::min(blocks, kPagesPerRow) : blocks;
}

// Measures the columns of one source of a stream.
class ColumnMeter {
 public:
  // `parts`: the parts of the stream's batches.
  ColumnMeter(const Catalog& catalog, const StreamOptions& options, int64_t window_rows,
              const SinkMemory& sink, std::vector<Part> parts)
      : catalog_(catalog), options_(options), window_rows_(window_rows), sink_(sink) {
    sizes_.parts = std::move(parts);
  }

  ColumnSizes Measure(const BatchLayout& layout) && {
    most_merged_ = MostRowsMerged(catalog_, layout, options_.order);
    OrderOptions whole_groups = options_.order;
    whole_groups.block_rows = 0;
    largest_piece_ =
        std::min(LargestBlock(catalog_, whole_groups),
                 std::max(LargestBlock(catalog_, options_.order), most_merged_));
    sizes_.has_buckets =
        sink_.has_buckets(options_, sizes_.parts, layout.first_parts, window_rows_);
    for (const Part& part : sizes_.parts) {
      sizes_.elements += static_cast<double>(sink_.LateBytes(part)) *
                         static_cast<double>(catalog_.num_rows());
    }
    std::vector<int> columns = FilterIndexes(catalog_, options_);
    MeasureFilter(columns);
    for (size_t i = 0; i < layout.columns.size(); ++i) {
      const Part* const parts = sizes_.parts.data();
      const std::vector<Part> own(parts + layout.first_parts[i],
                                  parts + layout.first_parts[i + 1]);
      MeasureGathering(own);
      if (!layout.columns[i].index) continue;  // a column that is in no file
      columns.push_back(*layout.columns[i].index);
      MeasureChunks(options_.columns[i], layout.columns[i], own);
    }
    MeasureFetching(columns);
    return std::move(sizes_);
  }

 private:
  int64_t num_groups() const { return std::ssize(catalog_.row_groups()); }

  GatherWay WayOf(const Part& first_part) const {
    return rowfeed::WayOf(first_part,
                          {window_rows_, sizes_.has_buckets, /*mixes_rows=*/true});
  }

  // `own`: the parts of one column.
  void MeasureGathering(const std::vector<Part>& own) {
    const GatherWay way = WayOf(own[0]);
    if (way == GatherWay::kPieces) {
      const int64_t piece = std::max<int64_t>(largest_piece_, 1);
      sizes_.window_tasks += std::max<int64_t>(window_rows_ / piece, 1);
      return;
    }
    ++sizes_.window_tasks;
    int64_t row_bytes = 0;  // bytes of a row: its value and its mask
    for (const Part& part : own) row_bytes += part.gathered_bytes();
    // References may be gathered as a whole in a smaller window, whatever their size.
    if (way == GatherWay::kWindow || own[0].is_referred_to) {
      sizes_.gathered = std::max(sizes_.gathered, window_rows_ * row_bytes);
      return;
    }
    const int64_t rows = largest_piece_ + BucketShuffle::kSize;
    // A smaller window may have no buckets. Then it is gathered as a whole, and its
    // values are at most kMaxGatherBytes.
    sizes_.gathered = std::max({sizes_.gathered, rows * row_bytes,
                                kMaxGatherBytes * row_bytes / own[0].gathered_bytes()});
  }

  // Whether a block holds the rows of a fixed part until they are gathered.
  bool HoldsRows(const ColumnSpec& spec, const ResolvedColumn& source,
                 const Part& part) const {
    if (sink_.keeps_rows()) return true;
    const bool has_some_rows = !options_.filter.empty() || most_merged_ > 0;
    if (WayOf(part) != GatherWay::kPieces) {
      // Whole row groups are decoded straight to where windows want them. Parts of row
      // groups are not, and neither is a block that is a window by itself.
      return has_some_rows || options_.order.block_rows > 0 ||
             window_rows_ <= largest_piece_;
    }
    const bool is_placed = part.unit_bytes >= kWideRowBytes && !spec.padding &&
                           !source.stored.is_bytes() &&
                           (spec.shape.empty() || !has_some_rows);
    return !is_placed;
  }

  void MeasureChunks(const ColumnSpec& spec, const ResolvedColumn& source,
                     const std::vector<Part>& own) {
    const Column& column = source.column;
    ChunkDecoding how{};
    how.has_shape = !spec.shape.empty();
    how.holds_rows = HoldsRows(spec, source, own[0]);
    how.has_mask = spec.mask == Mask::kElements;
    for (int64_t group = 0; group < num_groups(); ++group) {
      const ColumnChunk& chunk = catalog_.chunk(group, *source.index);
      const int64_t rows = catalog_.row_groups()[group].rows;
      if (column.is_variable()) {
        sizes_.blocks += static_cast<double>(VariableBlockBytes(column, chunk, rows));
        sizes_.elements += UnitBytes(column, own, chunk);
      }
      if (AreRowsLeftInFile(column, chunk, rows)) continue;
      how.group_rows = rows;
      how.num_rows = BlockRows(rows);
      const Column& stored =
          source.stored_in(catalog_.layout_index(catalog_.row_groups()[group].file));
      sizes_.decoded_chunk =
          std::max(sizes_.decoded_chunk, DecodingBytes(stored, column, chunk, how));
    }
  }

  int64_t BlockRows(int64_t group_rows) const {
    return options_.order.block_rows > 0 ? std::min(largest_piece_, group_rows)
                                         : group_rows;
  }

  void MeasureFilter(const std::vector<int>& columns) {
    for (const int index : columns) {
      for (int64_t group = 0; group < num_groups(); ++group) {
        const int64_t kib = catalog_.chunk(group, index).uncompressed_kib;
        sizes_.decoded_chunk = std::max(sizes_.decoded_chunk, 2048 * kib);
      }
    }
  }

  void MeasureFetching(const std::vector<int>& columns) {
    for (int64_t group = 0; group < num_groups(); ++group) {
      sizes_.fetched += static_cast<double>(FetchedBytes(catalog_, group, columns)) *
                        TimesFetched(catalog_.row_groups()[group].rows, options_);
    }
  }

  const Catalog& catalog_;
  const StreamOptions& options_;
  const int64_t window_rows_;
  const SinkMemory& sink_;
  int64_t most_merged_ = 0;    // see MostRowsMerged
  int64_t largest_piece_ = 0;  // the most rows that are decoded at once
  ColumnSizes sizes_;
};

}  // namespace

int64_t LargestBlock(const Catalog& catalog, const OrderOptions& order) {
  int64_t block = 0;
  for (const int64_t rows : *catalog.group_rows()) {
    if (rows == 0) continue;
    block = std::max(block, CeilDiv(rows, NumBlocks(rows, order.block_rows)));
  }
  return block;
}

ColumnSizes MeasureColumns(const Catalog& catalog, const StreamOptions& options,
                           int64_t window_rows, const SinkMemory& sink,
                           std::vector<Part> parts) {
  const Result<BatchLayout> layout = LayOutBatches(options.columns, catalog);
  // Validate reports why.
  if (!layout.ok() || parts.size() != layout->parts.size()) return {};
  return ColumnMeter(catalog, options, window_rows, sink, std::move(parts))
      .Measure(*layout);
}

}  // namespace rowfeed
