// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/options.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/batch/batch_builder.h"
#include "core/catalog/column.h"
#include "core/filter/row_filter.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/block_advice.h"
#include "core/stream/options/memory_plan.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/settled.h"

namespace rowfeed {
namespace {

// Row groups per window. docs/shuffle.md measures what it buys.
constexpr int64_t kDefaultWindowGroups = 8;

// Of an arena that batches share.
constexpr double kSharedArenaBytes = 64 << 10;
constexpr double kMaxSharing = 1024;

std::string BlockWords(const std::optional<BlockAdvice>& advice) {
  if (!advice) return "";
  std::string words = ", or give block_rows=" + std::to_string(advice->block_rows);
  if (advice->shuffle_window > 0) {
    words += " and shuffle_window=" + std::to_string(advice->shuffle_window);
  }
  return words + ", with which " + std::to_string(advice->bytes) + " bytes suffice";
}

}  // namespace

Status StreamOptions::ValidateSource(const Catalog& catalog) const {
  ROWFEED_RETURN_NOT_OK(order.Validate());
  for (const Feature& feature : features) {
    ROWFEED_RETURN_NOT_OK(ValidateFeature(feature, catalog));
  }
  ROWFEED_RETURN_NOT_OK(CheckSettled(features, catalog));
  if (!filter.empty()) {
    ROWFEED_ASSIGN_OR_RETURN(const auto made, RowFilter::Make(filter, catalog));
    ROWFEED_RETURN_NOT_OK(CheckFilterSettled(made->columns(), features, catalog));
  }
  return LayOutBatches(features, catalog).status();
}

const StreamOptions& StreamOptions::source(size_t index) const {
  return mixture ? mixture->sources[index] : *this;
}

Status StreamOptions::Validate(const Catalog& catalog) const {
  return Validate(Catalogs{{std::shared_ptr<void>(), &catalog}});
}

Status StreamOptions::Validate(const Catalogs& catalogs) const {
  ROWFEED_RETURN_NOT_OK(mixture ? mixture->Validate(catalogs)
                                : ValidateSource(*catalogs[0]));
  ROWFEED_RETURN_NOT_OK(delivery.Validate());
  if (growth && (growth->paths.empty() || growth->snapshot_dir.empty())) {
    return Status::Invalid("a growing data set has paths and a snapshot_dir");
  }
  if (num_epochs < 1 && num_epochs != kEndless) {
    return Status::Invalid("num_epochs must be >= 1, not ", num_epochs);
  }
  if (num_threads < 1) {
    return Status::Invalid("num_threads must be >= 1, not ", num_threads);
  }
  if (max_batches_per_arena < 1) {
    return Status::Invalid("max_batches_per_arena must be >= 1, not ",
                           max_batches_per_arena);
  }
  // Strips of lanes may be that much longer than their rows.
  constexpr int64_t kMostRows = UINT32_MAX - OrderOptions::kMaxLanes;
  if (delivery.batch_size > kMostRows / max_batches_per_arena) {
    return Status::Invalid(max_batches_per_arena, " batches of ", delivery.batch_size,
                           " rows are more than 2^32");
  }
  ROWFEED_ASSIGN_OR_RETURN(const BatchLayout layout,
                           LayOutBatches(features, *catalogs[0]));
  if (BatchBuilder::ArenaBytes(layout.parts, max_arena_rows()) ==
      BatchBuilder::kTooManyBytes) {
    return Status::Invalid("batches of ", max_arena_rows(),
                           " rows of these columns take ",
                           "more than 2^60 bytes: reduce batch_size, or the sizes that "
                           "lists are padded to or shaped");
  }
  if (memory_budget_bytes < 0) {
    return Status::Invalid("memory_budget_bytes must be >= 1, not ",
                           memory_budget_bytes);
  }
  const MemoryPlan plan = PlanMemory(catalogs, *this);
  if (plan.window_rows > UINT32_MAX) {
    return Status::Invalid("a window of ", plan.window_rows,
                           " rows is more than 2^32: reduce shuffle_window");
  }
  if (memory_budget_bytes > 0 && memory_budget_bytes < plan.minimum()) {
    return Status::Invalid(
        "memory_budget_bytes = ", memory_budget_bytes, " is less than the ",
        plan.minimum(), " needed: ", plan.num_windows, " windows of up to ",
        plan.window_rows, " rows with ", plan.window, " bytes each, and ",
        plan.scratch + plan.elements,
        " to decode; raise it, or reduce shuffle_window, num_lanes, num_threads or "
        "columns",
        BlockWords(AdviseBlocks(catalogs, *this, memory_budget_bytes)));
  }
  return {};
}

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
  // Columns of a shared one would lie apart, and whoever copies a batch copy it all.
  const bool has_columns = std::ranges::any_of(
      options.features,
      [](const Feature& feature) { return feature.stack && !feature.stack->by_rows; });
  if (has_columns) return 1;
  const double row_bytes =
      std::max(RowBytes(catalog, options).value_or(kSharedArenaBytes), 1.0);
  const double batches = kSharedArenaBytes /
                         (row_bytes * static_cast<double>(options.delivery.batch_size));
  return static_cast<int64_t>(std::clamp(batches, 1.0, kMaxSharing));
}

}  // namespace rowfeed
