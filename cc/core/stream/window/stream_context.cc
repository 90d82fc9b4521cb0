// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/stream_context.h"

#include <cstdint>
#include <utility>

#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/memory_plan.h"
#include "core/stream/options/merge_limit.h"

namespace rowfeed {
namespace {

constexpr int64_t kMaxLocatorBytes = int64_t{16} << 20;  // the limit for each source

}  // namespace

std::shared_ptr<const StreamContext> MakeContext(Cursor* cursor,
                                                 const StreamOptions& options,
                                                 const BatchLayout& layout,
                                                 const SourceRows& rows,
                                                 std::shared_ptr<Counters> counters) {
  auto context = std::make_shared<StreamContext>();
  const Catalogs catalogs = CatalogsOf(rows);
  for (size_t i = 0; i < catalogs.size(); ++i) {
    const StreamOptions& source = options.source(i);
    BatchLayout own = *LayOutBatches(source.columns, *catalogs[i]);
    const int64_t most_rows = MostRowsMerged(*catalogs[i], own, source.order);
    context->sources.push_back(
        {catalogs[i], source.columns, std::move(own), *rows[i]->Get(),
         *rows[i]->Filtered(nullptr), std::make_shared<RemotePages>(),
         std::make_shared<PageLocator>(catalogs[i].get(), kMaxLocatorBytes),
         source.verify_checksums, most_rows});
  }
  context->options = options;
  context->data = EpochDataOf(options);
  context->layout = layout;
  const MemoryPlan plan = PlanMemory(catalogs, options);
  context->arenas_ahead = plan.arenas_ahead;
  context->arena_elements = plan.elements / plan.arenas_ahead;
  context->window_budget = options.memory_budget_bytes - plan.scratch;
  const Cursor::Resources resources = cursor->resources();
  context->tasks = resources.tasks.get();
  context->buffers = resources.buffers;
  context->files = resources.files;
  context->counters = std::move(counters);
  context->fetches = resources.fetches.get();
  return context;
}

}  // namespace rowfeed
