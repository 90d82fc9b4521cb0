// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/validate_stream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/batch/batch_builder.h"
#include "core/fields.h"
#include "core/stream/options/batch_layout.h"
#include "core/stream/options/block_advice.h"
#include "core/stream/options/memory_plan.h"
#include "core/stream/options/validate_source.h"

namespace rowfeed {
namespace {

std::string BlockWords(const std::optional<BlockAdvice>& advice) {
  if (!advice) return "";
  std::string words = ", or give block_rows=" + std::to_string(advice->block_rows);
  if (advice->shuffle_window > 0) {
    words += " and shuffle_window=" + std::to_string(advice->shuffle_window);
  }
  return words + ", with which " + std::to_string(advice->bytes) + " bytes suffice";
}

}  // namespace

Status ValidateStream(const StreamOptions& options, const Catalog& catalog) {
  return ValidateStream(options, Catalogs{{std::shared_ptr<void>(), &catalog}});
}

Status ValidateStream(const StreamOptions& options, const Catalogs& catalogs) {
  ROWFEED_RETURN_NOT_OK(options.mixture ? ValidateMixture(*options.mixture, catalogs)
                                        : ValidateSource(options, *catalogs[0]));
  ROWFEED_RETURN_NOT_OK(options.delivery.Validate());
  if (options.growth &&
      (options.growth->paths.empty() || options.growth->snapshot_dir.empty())) {
    return Status::Invalid("a growing data set has paths and a snapshot_dir");
  }
  ROWFEED_RETURN_NOT_OK(CheckFields(options));
  // Strips of lanes may have this many more rows than the batch.
  constexpr int64_t kMostRows = UINT32_MAX - OrderOptions::kMaxLanes;
  if (options.delivery.batch_size > kMostRows / options.max_batches_per_arena) {
    return Status::Invalid(options.max_batches_per_arena, " batches of ",
                           options.delivery.batch_size, " rows are more than 2^32");
  }
  ROWFEED_ASSIGN_OR_RETURN(const BatchLayout layout,
                           LayOutBatches(options.columns, *catalogs[0]));
  if (BatchBuilder::ArenaBytes(layout.parts, options.max_arena_rows()) ==
      BatchBuilder::kTooManyBytes) {
    return Status::Invalid("batches of ", options.max_arena_rows(),
                           " rows of these columns take ",
                           "more than 2^60 bytes: reduce batch_size, or the sizes that "
                           "lists are padded to or shaped");
  }
  const MemoryPlan plan = PlanMemory(catalogs, options);
  if (plan.window_rows > UINT32_MAX) {
    return Status::Invalid("a window of ", plan.window_rows,
                           " rows is more than 2^32: reduce shuffle_window");
  }
  if (options.memory_budget_bytes > 0 && options.memory_budget_bytes < plan.minimum()) {
    return Status::Invalid(
        "memory_budget_bytes = ", options.memory_budget_bytes, " is less than the ",
        plan.minimum(), " needed: ", plan.num_windows,
        plan.num_windows == 1 ? " window of" : " windows, each of", " up to ",
        plan.window_rows, plan.window_rows == 1 ? " row" : " rows", " with ",
        plan.window, " bytes, and ", plan.scratch + plan.elements,
        " to decode; raise it, or reduce shuffle_window, num_lanes, num_threads or "
        "columns",
        BlockWords(AdviseBlocks(catalogs, options, options.memory_budget_bytes)));
  }
  return {};
}

}  // namespace rowfeed
