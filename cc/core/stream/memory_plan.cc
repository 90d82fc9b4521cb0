// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/memory_plan.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/catalog/column.h"
#include "core/stream/window_load.h"

namespace rowfeed {
namespace {

int64_t LargestWindow(const Catalog& catalog, const OrderOptions& order) {
  int64_t block = 0;
  for (const int64_t rows : *catalog.group_rows()) block = std::max(block, rows);
  if (order.block_rows > 0) block = std::min(block, order.block_rows);
  if (!order.shuffle) return block;
  // It ends with the block that reaches shuffle_window; a last one may be half larger.
  const int64_t lane_rows = catalog.num_rows() / order.num_lanes + 1;
  return std::min(lane_rows,
                  order.shuffle_window + std::max(block, order.shuffle_window / 2));
}

}  // namespace

MemoryPlan PlanMemory(const Catalog& catalog, const StreamOptions& options) {
  std::vector<Column> columns;
  double variable_kib = 0;  // of all row groups
  uint32_t chunk_kib = 0;   // of the largest chunk
  for (const Feature& feature : options.features) {
    const Result<int> index = catalog.ColumnIndex(feature.column);
    if (!index.ok()) continue;  // Validate says so
    columns.push_back(catalog.columns()[*index]);
    for (size_t group = 0; group < catalog.row_groups().size(); ++group) {
      const uint32_t kib =
          catalog.chunk(static_cast<int64_t>(group), *index).uncompressed_kib;
      chunk_kib = std::max(chunk_kib, kib);
      if (columns.back().is_variable()) variable_kib += kib;
    }
  }
  const int64_t lanes = options.order.num_lanes;
  const int64_t world = options.delivery.world_size;
  const int64_t common = std::gcd(lanes, world);
  MemoryPlan plan{};
  plan.window_rows = LargestWindow(catalog, options.order);
  plan.num_windows = std::min(lanes / common, std::max<int64_t>(catalog.num_rows(), 1));
  // Where ranks share lanes, a rank keeps its part of each window's rows.
  const int64_t own_rows = plan.window_rows * common / world + options.arena_rows();
  const double rows = std::max<double>(1, static_cast<double>(catalog.num_rows()));
  plan.window = BatchBuilder::ArenaBytes(columns, own_rows) +
                static_cast<int64_t>(variable_kib * 1024 / rows *
                                     static_cast<double>(plan.window_rows));
  int64_t gather_bytes = 0;  // of a narrow column's window
  for (const Column& column : columns) {
    if (WindowLoad::IsNarrow(column, plan.window_rows)) {
      gather_bytes = std::max(gather_bytes, plan.window_rows * column.row_bytes());
    }
  }
  // A chunk as it lies in the file and decompressed.
  plan.scratch = (int64_t{2048} * chunk_kib + gather_bytes) * options.num_threads;
  return plan;
}

}  // namespace rowfeed
