// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/memory_plan.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/batch/bucket_shuffle.h"
#include "core/batch/cache_line.h"
#include "core/catalog/column.h"
#include "core/ceil_div.h"
#include "core/decode/file_rows.h"
#include "core/decode/part.h"
#include "core/filter/row_filter.h"
#include "core/plan/blocks.h"
#include "core/stream/batch_layout.h"
#include "core/stream/stream_layout.h"
#include "core/stream/window_fetch.h"
#include "core/stream/window_load.h"

namespace rowfeed {
namespace {

// Fewer arenas are made ahead where their elements are large.
constexpr int64_t kMaxArenasAhead = 8;
constexpr int64_t kMaxBytesAhead = int64_t{64} << 20;

int64_t LargestBlock(const Catalog& catalog, const OrderOptions& order) {
  int64_t block = 0;
  for (const int64_t rows : *catalog.group_rows()) block = std::max(block, rows);
  return order.block_rows > 0 ? std::min(block, order.block_rows) : block;
}

bool AreBlocksEqual(const Catalog& catalog, const StreamOptions& options) {
  if (options.order.num_lanes > 1 || !options.filter.empty()) return false;
  const int64_t block = LargestBlock(catalog, options.order);
  int64_t num_blocks = 0;
  for (const int64_t rows : *catalog.group_rows()) {
    num_blocks += NumBlocks(rows, options.order.block_rows);
  }
  return num_blocks * block == catalog.num_rows();
}

int64_t LargestWindow(const Catalog& catalog, const StreamOptions& options) {
  const OrderOptions& order = options.order;
  const int64_t block = LargestBlock(catalog, order);
  if (!order.shuffle || block == 0) return block;
  const int64_t lane_rows = catalog.num_rows() / order.num_lanes + 1;
  const int64_t wanted = std::min(order.shuffle_window, lane_rows);
  // It ends with the block that reaches shuffle_window, and a last one of less than
  // half of that joins the one before.
  const int64_t reached = AreBlocksEqual(catalog, options)
                              ? CeilDiv(wanted, block) * block
                              : wanted - 1 + block;
  return std::min(lane_rows, reached + CeilDiv(wanted, 2) - 1);
}

// The arenas that so many rows are gathered into; at most kTooManyBytes.
int64_t ArenasBytes(const std::vector<Part>& parts, int64_t rows, int64_t arena_rows) {
  const int64_t each =
      BatchBuilder::ArenaBytes(parts, std::clamp<int64_t>(rows, 1, arena_rows));
  const int64_t count = CeilDiv(rows, arena_rows);
  return each > BatchBuilder::kTooManyBytes / std::max<int64_t>(count, 1)
             ? BatchBuilder::kTooManyBytes
             : count * each;
}

// About what all requests that there may be at once bring, so that it is the network
// that limits, and not its delay.
constexpr int64_t kFetchedAhead = int64_t{256} << 20;

// Absurd shapes need more than any memory has, which is said elsewhere.
constexpr int64_t kMostBytes = int64_t{1} << 61;

// At most so much that sums of a few of them do not overflow.
int64_t ToBytes(double bytes) {
  constexpr auto kMost = static_cast<double>(int64_t{1} << 48);
  return static_cast<int64_t>(std::min(bytes, kMost));
}

// What the columns asked for take, in bytes, by their footers.
struct ColumnSizes {
  std::vector<Part> parts;
  bool has_buckets = false;
  int64_t gathered = 0;  // a column that is gathered by windows, or through buckets
  double blocks = 0;     // of variable columns, all row groups
  double elements = 0;   // of variable columns, all rows
  double fetched = 0;    // of remote files, all row groups
  // The largest, as it lies in the file, decompressed and, if it is, converted.
  int64_t decoded_chunk = 0;
};

// What the units of a chunk take in batches. That of strings in a dictionary is not in
// the footer: about what they take in the file.
double UnitBytes(const Column& column, const std::vector<Part>& parts,
                 const ColumnChunk& chunk) {
  const auto num_values = static_cast<double>(chunk.num_values);
  double bytes = 0;
  for (const Part& part : parts) {
    const bool is_text = part.kind == Part::Kind::kValues && column.is_bytes();
    const int64_t per_unit = is_text ? 1 : column.num_elements();
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
  return filter.ok() ? (*filter)->columns() : std::vector<int>();  // Validate says so
}

// What the values of a chunk take once more where they are converted.
int64_t ConvertedBytes(const FeatureSource& source, const ColumnChunk& chunk) {
  const Column& stored = source.stored;
  const Column& wanted = source.column;
  const bool is_converted =
      !wanted.is_bytes() && (stored.dtype != wanted.dtype ||
                             stored.unit != wanted.unit || stored.storage.is_decimal());
  return is_converted ? chunk.num_values * ElementSize(wanted.dtype) : 0;
}

// How often each byte of a row group is fetched, about. Blocks of a row group are
// fetched one by one: by pages, or whole where a filter tells later which pages are
// wanted.
double TimesFetched(int64_t group_rows, const StreamOptions& options) {
  const auto blocks =
      static_cast<double>(NumBlocks(group_rows, options.order.block_rows));
  return options.filter.empty() ? std::min(blocks, WindowFetch::kPagesPerRow) : blocks;
}

// What is made of a row of the part when its batch is complete, beside units.
int64_t LateBytes(const Part& part, bool is_held) {
  if (part.is_referred_to) {
    return part.may_be_inline ? sizeof(InlineString) : sizeof(int64_t);
  }
  const bool is_late =
      part.kind == Part::Kind::kStack || (is_held && !part.is_variable);
  return is_late ? part.unit_bytes : 0;
}

// `parts`: of the stream.
ColumnSizes MeasureColumns(const Catalog& catalog, const StreamOptions& options,
                           int64_t window_rows, bool is_held, std::vector<Part> parts) {
  ColumnSizes sizes;
  const Result<BatchLayout> layout = LayOutBatches(options.features, catalog);
  if (!layout.ok() || parts.size() != layout->parts.size()) return sizes;  // Validate
  sizes.parts = std::move(parts);
  sizes.has_buckets =
      !is_held &&
      WindowLoad::HasBuckets(options, sizes.parts, layout->first_parts, window_rows);
  for (const Part& part : sizes.parts) {
    sizes.elements += static_cast<double>(LateBytes(part, is_held)) *
                      static_cast<double>(catalog.num_rows());
  }
  for (size_t feature = 0; feature < layout->features.size(); ++feature) {
    const FeatureSource& source = layout->features[feature];
    const Column& column = source.column;
    const Part* const stream_parts = sizes.parts.data();
    const std::vector<Part> own(stream_parts + layout->first_parts[feature],
                                stream_parts + layout->first_parts[feature + 1]);
    int64_t row_bytes = 0;  // of the values and their mask
    for (const Part& part : own) row_bytes += part.gathered_bytes();
    if (WindowLoad::IsNarrow(own[0], window_rows)) {
      sizes.gathered = std::max(sizes.gathered, window_rows * row_bytes);
    } else if (sizes.has_buckets && WindowLoad::IsBucketed(own[0], window_rows)) {
      const int64_t rows = LargestBlock(catalog, options.order) + BucketShuffle::kSize;
      // A smaller window may have none.
      sizes.gathered =
          std::max({sizes.gathered, rows * row_bytes,
                    WindowLoad::kMaxGatherBytes * row_bytes / own[0].gathered_bytes()});
    }
    if (!source.index) continue;  // it has no chunks
    for (int64_t group = 0; group < std::ssize(catalog.row_groups()); ++group) {
      const ColumnChunk& chunk = catalog.chunk(group, *source.index);
      const int64_t rows = catalog.row_groups()[group].rows;
      if (column.is_variable()) {
        sizes.blocks += static_cast<double>(VariableBlockBytes(column, chunk, rows));
        sizes.elements += UnitBytes(column, own, chunk);
      }
      if (!AreRowsLeftInFile(column, chunk, rows)) {
        sizes.decoded_chunk =
            std::max(sizes.decoded_chunk, int64_t{2048} * chunk.uncompressed_kib +
                                              ConvertedBytes(source, chunk));
      }
    }
  }
  std::vector<int> columns = FilterIndexes(catalog, options);
  for (const int index : columns) {
    for (int64_t group = 0; group < std::ssize(catalog.row_groups()); ++group) {
      const int64_t kib = catalog.chunk(group, index).uncompressed_kib;
      sizes.decoded_chunk = std::max(sizes.decoded_chunk, 2048 * kib);
    }
  }
  for (const FeatureSource& source : layout->features) {
    if (source.index) columns.push_back(*source.index);
  }
  for (int64_t group = 0; group < std::ssize(catalog.row_groups()); ++group) {
    sizes.fetched += static_cast<double>(FetchedBytes(catalog, group, columns)) *
                     TimesFetched(catalog.row_groups()[group].rows, options);
  }
  return sizes;
}

// An arena has no more rows than the largest windows of all sources together, as
// Delivery has it.
int64_t LargestArena(const Catalogs& catalogs, const StreamOptions& options) {
  const int64_t world = options.delivery.world_size;
  int64_t own_rows = 0;
  for (size_t i = 0; i < catalogs.size(); ++i) {
    const StreamOptions& source = options.source(i);
    own_rows += LargestWindow(*catalogs[i], source) *
                std::gcd(source.order.num_lanes, world) / world;
  }
  return std::clamp(own_rows, options.delivery.batch_size, options.max_arena_rows());
}

// What the windows of one source need; `whole`: the options of the stream.
MemoryPlan PlanSource(const Catalog& catalog, const StreamOptions& source,
                      const StreamOptions& whole, const std::vector<Part>& parts,
                      int64_t arena_rows) {
  const bool is_held = whole.mixture != nullptr;
  const int64_t lanes = source.order.num_lanes;
  const int64_t world = whole.delivery.world_size;
  const int64_t common = std::gcd(lanes, world);
  MemoryPlan plan{};
  plan.window_rows = LargestWindow(catalog, source);
  const ColumnSizes sizes =
      MeasureColumns(catalog, source, plan.window_rows, is_held, parts);
  plan.num_windows = std::min(lanes / common, std::max<int64_t>(catalog.num_rows(), 1));
  // Where ranks share lanes, a rank keeps its part of each window's rows; but what is
  // held until it is needed is all of them.
  plan.window =
      is_held ? BatchBuilder::ArenaBytes(sizes.parts, plan.window_rows)
              : ArenasBytes(sizes.parts, plan.window_rows * common / world + arena_rows,
                            arena_rows);
  const double rows = std::max<double>(1, static_cast<double>(catalog.num_rows()));
  plan.window += ToBytes((sizes.blocks + sizes.fetched) / rows *
                         static_cast<double>(plan.window_rows));
  const int64_t index_bytes =
      is_held ? kHeldRowIndexBytes
              : kRowIndexBytes + (sizes.has_buckets ? kBucketIndexBytes : 0);
  plan.window +=
      ToBytes(static_cast<double>(index_bytes) * static_cast<double>(plan.window_rows));
  plan.windows = plan.window > kMostBytes / plan.num_windows
                     ? kMostBytes
                     : plan.num_windows * plan.window;
  // Fetched bytes and what is made of them.
  plan.read_ahead =
      std::max(plan.window, std::min(kFetchedAhead, ToBytes(2 * sizes.fetched)));
  plan.scratch = ToBytes(static_cast<double>(sizes.decoded_chunk + sizes.gathered) *
                         whole.num_threads);
  if (!is_held && plan.num_windows > 1) {  // the strips of a column of a batch
    plan.scratch = ToBytes(static_cast<double>(plan.scratch) +
                           static_cast<double>(whole.num_threads) *
                               static_cast<double>(kCacheLine * arena_rows));
  }
  // Buffers come in sizes that may be a quarter larger.
  plan.elements =
      ToBytes(1.25 * sizes.elements / rows * static_cast<double>(arena_rows));
  return plan;
}

}  // namespace

MemoryPlan PlanMemory(const Catalogs& catalogs, const StreamOptions& options) {
  MemoryPlan plan{};
  const Result<BatchLayout> layout = LayOutStream(catalogs, options);
  const std::vector<Part> parts = layout.ok() ? layout->parts : std::vector<Part>();
  const int64_t arena_rows = LargestArena(catalogs, options);
  for (size_t i = 0; i < catalogs.size(); ++i) {
    const MemoryPlan own =
        PlanSource(*catalogs[i], options.source(i), options, parts, arena_rows);
    plan.window_rows = std::max(plan.window_rows, own.window_rows);
    plan.window = std::max(plan.window, own.window);
    plan.num_windows += own.num_windows;
    plan.windows = std::min(kMostBytes, plan.windows + own.windows);
    plan.read_ahead = std::max(plan.read_ahead, own.read_ahead);
    plan.scratch = std::max(plan.scratch, own.scratch);
    plan.elements = std::max(plan.elements, own.elements);
  }
  const int64_t least = int64_t{options.num_threads} + 1;
  plan.arenas_ahead =
      std::clamp<int64_t>(kMaxBytesAhead / std::max<int64_t>(plan.elements, 1), least,
                          std::max(least, kMaxArenasAhead));
  plan.elements = ToBytes(static_cast<double>(plan.arenas_ahead) *
                          static_cast<double>(plan.elements));
  return plan;
}

std::optional<double> RowBytes(const Catalog& catalog, const StreamOptions& options) {
  const Result<BatchLayout> layout = LayOutBatches(options.features, catalog);
  if (!layout.ok()) return 0;  // Validate says so
  const ColumnSizes sizes = MeasureColumns(catalog, options, /*window_rows=*/1,
                                           /*is_held=*/false, layout->parts);
  const auto num_rows = static_cast<double>(catalog.num_rows());
  double bytes = num_rows > 0 ? sizes.elements / num_rows : 0;
  for (const Part& part : sizes.parts) {
    if (part.is_variable && num_rows == 0) return std::nullopt;
    if (part.kind == Part::Kind::kStack && num_rows > 0) continue;  // of the elements
    bytes += part.is_variable ? sizeof(int64_t) : static_cast<double>(part.unit_bytes);
  }
  return bytes;
}

}  // namespace rowfeed
