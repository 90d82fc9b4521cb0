// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/memory_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/ceil_div.h"
#include "core/decode/blocks/part.h"
#include "core/plan/blocks.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/column_sizes.h"
#include "core/stream/options/sink_memory.h"
#include "core/stream/options/stream_layout.h"

namespace rowfeed {
namespace {

// Limits for the arenas that are made ahead: their number, and the bytes of their
// variable columns.
constexpr int64_t kMaxArenasAhead = 8;
constexpr int64_t kMaxBytesAhead = int64_t{64} << 20;

// Blocks of about one size, which windows have the same number of.
struct WindowBlocks {
  int64_t in_window;  // number of blocks in each window but the last
  int64_t in_last;    // number of blocks that are left for the last window; maybe 0
  int64_t smallest;   // number of rows of the smallest block
};

// Returns how many blocks a window of at least `wanted` rows has, if all windows have
// as many. In several lanes and under a filter, blocks differ in size.
std::optional<WindowBlocks> BlocksOfWindows(const Catalog& catalog,
                                            const StreamOptions& options,
                                            int64_t wanted) {
  if (options.order.num_lanes > 1 || !options.filter.empty()) return std::nullopt;
  const int64_t largest = LargestBlock(catalog, options.order);
  int64_t smallest = largest;
  int64_t num_blocks = 0;
  for (const int64_t rows : *catalog.group_rows()) {
    if (rows == 0) continue;
    const int64_t blocks = NumBlocks(rows, options.order.block_rows);
    smallest = std::min(smallest, rows / blocks);
    num_blocks += blocks;
  }
  const int64_t in_window = CeilDiv(wanted, smallest);
  if (CeilDiv(wanted, largest) != in_window) return std::nullopt;
  return WindowBlocks{in_window, num_blocks % in_window, smallest};
}

int64_t LargestWindow(const Catalog& catalog, const StreamOptions& options) {
  const OrderOptions& order = options.order;
  const int64_t block = LargestBlock(catalog, order);
  if (!order.shuffle || block == 0) return block;
  const int64_t lane_rows = CeilDiv(catalog.num_rows(), order.num_lanes);
  const int64_t wanted = std::min(order.shuffle_window, lane_rows);
  // A window ends with the block that reaches shuffle_window. If the last window has
  // less than half of that, it joins the one before.
  const int64_t half = CeilDiv(wanted, 2);
  const auto blocks = BlocksOfWindows(catalog, options, wanted);
  if (!blocks) return std::min(lane_rows, wanted - 1 + block + half - 1);
  const bool joins = blocks->in_last * blocks->smallest < half;
  const int64_t in_largest = blocks->in_window + (joins ? blocks->in_last : 0);
  return std::min(lane_rows, in_largest * block);
}

// About how many bytes all requests bring that there may be at once. With so much, the
// speed of the network is the limit, and not its delay.
constexpr int64_t kFetchedAhead = int64_t{256} << 20;

// The limit of a plan. Absurd shapes need more than any memory has; another check
// reports them.
constexpr int64_t kMostBytes = int64_t{1} << 61;

// Limits a number of bytes, so that sums of a few of them do not overflow.
int64_t ToBytes(double bytes) {
  constexpr auto kMost = static_cast<double>(int64_t{1} << 48);
  return static_cast<int64_t>(std::min(bytes, kMost));
}

// More rows than any epoch has. Sums of a few of such numbers do not overflow.
constexpr int64_t kAnyRows = std::numeric_limits<int64_t>::max() / 4;

// Returns the most rows that all arenas of an epoch have together, fill rows included.
// The epochs of a mixture, and those of data that grows, may have any number.
int64_t EpochArenaRows(const Catalogs& catalogs, const StreamOptions& options) {
  if (options.mixture || options.growth) return kAnyRows;
  const DeliveryOptions& delivery = options.delivery;
  const int64_t rows = std::max<int64_t>(catalogs[0]->num_rows(), 1);
  const bool fills_up =
      delivery.remainder == Remainder::kPad || delivery.remainder == Remainder::kWrap;
  return fills_up ? CeilDiv(rows, delivery.global_batch()) * delivery.batch_size
                  : CeilDiv(rows, delivery.world_size);
}

// Returns the rows of the largest arena. Delivery allows it no more rows than the
// largest windows of all sources have together.
int64_t LargestArena(const Catalogs& catalogs, const StreamOptions& options) {
  const int64_t world = options.delivery.world_size;
  int64_t own_rows = 0;
  for (size_t i = 0; i < catalogs.size(); ++i) {
    const StreamOptions& source = options.source(i);
    own_rows += LargestWindow(*catalogs[i], source) *
                std::gcd(source.order.num_lanes, world) / world;
  }
  const int64_t arena_rows =
      std::clamp(own_rows, options.delivery.batch_size, options.max_arena_rows());
  return std::min(arena_rows, EpochArenaRows(catalogs, options));
}

// Plans the memory for the windows of one source. `whole`: the options of the stream.
MemoryPlan PlanSource(const Catalog& catalog, const StreamOptions& source,
                      const StreamOptions& whole, const std::vector<Part>& parts,
                      int64_t arena_rows, int64_t epoch_rows) {
  const SinkMemory& sink = SinkMemoryOf(whole);
  const int64_t lanes = source.order.num_lanes;
  const int64_t world = whole.delivery.world_size;
  const int64_t common = std::gcd(lanes, world);
  MemoryPlan plan{};
  plan.window_rows = LargestWindow(catalog, source);
  const ColumnSizes sizes =
      MeasureColumns(catalog, source, plan.window_rows, sink, parts);
  plan.num_windows = std::min(lanes / common, std::max<int64_t>(catalog.num_rows(), 1));
  const SinkMemory::Rows sink_rows{.window = plan.window_rows,
                                   .own = plan.window_rows * common / world,
                                   .arena = arena_rows,
                                   .epoch = epoch_rows,
                                   .num_windows = plan.num_windows};
  plan.window = sink.RowsBytes(sizes.parts, sink_rows);
  const double rows = std::max<double>(1, static_cast<double>(catalog.num_rows()));
  plan.window += ToBytes((sizes.blocks + sizes.fetched) / rows *
                         static_cast<double>(plan.window_rows));
  plan.window += ToBytes(static_cast<double>(sink.IndexBytes(sizes.has_buckets)) *
                         static_cast<double>(plan.window_rows));
  plan.windows = plan.window > kMostBytes / plan.num_windows
                     ? kMostBytes
                     : plan.num_windows * plan.window;
  const int64_t windows_ahead =
      CeilDiv(int64_t{whole.num_threads}, std::max<int64_t>(sizes.window_tasks, 1));
  // The factor 2 is for the fetched bytes and for what is made of them.
  plan.read_ahead =
      std::max(plan.window > kMostBytes / windows_ahead ? kMostBytes
                                                        : windows_ahead * plan.window,
               std::min(kFetchedAhead, ToBytes(2 * sizes.fetched)));
  plan.scratch = ToBytes((static_cast<double>(sizes.decoded_chunk + sizes.gathered) +
                          static_cast<double>(sink.StripBytes(sink_rows))) *
                         whole.num_threads);
  // A buffer may be a quarter larger than what was asked for.
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
  const int64_t epoch_rows = EpochArenaRows(catalogs, options);
  for (size_t i = 0; i < catalogs.size(); ++i) {
    const MemoryPlan own = PlanSource(*catalogs[i], options.source(i), options, parts,
                                      arena_rows, epoch_rows);
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
  plan.arenas_ahead = std::min(plan.arenas_ahead, CeilDiv(epoch_rows, arena_rows));
  plan.elements = ToBytes(static_cast<double>(plan.arenas_ahead) *
                          static_cast<double>(plan.elements));
  return plan;
}

std::optional<double> RowBytes(const Catalog& catalog, const StreamOptions& options) {
  const Result<BatchLayout> layout = LayOutBatches(options.columns, catalog);
  if (!layout.ok()) return 0;  // Validate reports why
  const ColumnSizes sizes = MeasureColumns(catalog, options, /*window_rows=*/1,
                                           DirectSinkMemory(), layout->parts);
  const auto num_rows = static_cast<double>(catalog.num_rows());
  double bytes = num_rows > 0 ? sizes.elements / num_rows : 0;
  for (const Part& part : sizes.parts) {
    if (part.is_variable && num_rows == 0) return std::nullopt;
    // The bytes of a stack are in `elements`.
    if (part.kind == Part::Kind::kStack && num_rows > 0) continue;
    bytes += part.is_variable ? sizeof(int64_t) : static_cast<double>(part.unit_bytes);
  }
  return bytes;
}

}  // namespace rowfeed
