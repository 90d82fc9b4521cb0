// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/stream_defaults.h"

#include <algorithm>
#include <vector>

#include "core/stream/options/memory_plan.h"

namespace rowfeed {
namespace {

// The number of row groups in the default window. docs/shuffle.md measures what it
// brings.
constexpr int64_t kDefaultWindowGroups = 8;

// About the size of an arena that batches share, and the most batches in it.
constexpr double kSharedArenaBytes = 64 << 10;
constexpr double kMaxSharing = 1024;

}  // namespace

int64_t DefaultShuffleWindow(const Catalog& catalog) {
  std::vector<int64_t> rows;
  for (const int64_t group : *catalog.group_rows()) {
    if (group > 0) rows.push_back(group);
  }
  if (rows.empty()) return 1;
  const auto middle = rows.begin() + static_cast<int64_t>(rows.size() / 2);
  std::nth_element(rows.begin(), middle, rows.end());
  return kDefaultWindowGroups * *middle;
}

int64_t DefaultMemoryBudget(const Catalogs& catalogs, const StreamOptions& options) {
  return PlanMemory(catalogs, options).with_read_ahead();
}

int64_t DefaultMaxBatchesPerArena(const Catalog& catalog,
                                  const StreamOptions& options) {
  // In a shared arena the columns of a stack would lie far apart, and copying one batch
  // would copy the whole arena.
  const bool has_columns = std::ranges::any_of(
      options.columns,
      [](const ColumnSpec& spec) { return spec.stack && !spec.stack->by_rows; });
  if (has_columns) return 1;
  const double row_bytes =
      std::max(RowBytes(catalog, options).value_or(kSharedArenaBytes), 1.0);
  const double batches = kSharedArenaBytes /
                         (row_bytes * static_cast<double>(options.delivery.batch_size));
  return static_cast<int64_t>(std::clamp(batches, 1.0, kMaxSharing));
}

}  // namespace rowfeed
