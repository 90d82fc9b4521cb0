// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/pending_arena.h"

#include <algorithm>

#include "core/stopwatch.h"

namespace rowfeed {

bool PendingArena::has_loaded_windows() const {
  return std::all_of(windows.begin(), windows.end(),
                     [](const auto& window) { return window.first->is_loaded; });
}

Status PendingArena::Assemble(Counters* counters) const {
  const Stopwatch watch;
  int64_t column_ns = 0;  // time that is counted in the statistics of columns
  ROWFEED_RETURN_NOT_OK(builder->Allocate());
  for (const auto& [loading, run] : windows) {
    ROWFEED_RETURN_NOT_OK(
        loading->load.sink().GatherRun(run, builder.get(), &column_ns));
  }
  ROWFEED_RETURN_NOT_OK(builder->AllocateUnits());
  for (const auto& [loading, run] : windows) {
    ROWFEED_RETURN_NOT_OK(
        loading->load.sink().GatherUnits(run, builder.get(), &column_ns));
  }
  builder->SumLengths();
  ROWFEED_RETURN_NOT_OK(builder->InterleaveStrips());
  builder->FillMoments(moment);
  builder->FillStacks();
  counters->Add(Count::kAssemble, watch.ns() - column_ns);
  return {};
}

}  // namespace rowfeed
