// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/window_load.h"

#include <utility>

#include "core/stopwatch.h"

namespace rowfeed {
WindowLoad::WindowLoad(std::shared_ptr<const StreamContext> context,
                       const WindowVisit& visit, std::vector<Run> runs,
                       std::vector<Place> places, MakeWindowSink* sink)
    : plan_(visit.plan),
      window_(visit.window),
      runs_(std::move(runs)),
      reader_(std::move(context), visit),
      sink_(sink(&reader_, &runs_, std::move(places))) {}

Status WindowLoad::Prepare(std::vector<std::shared_ptr<BatchBuilder>> builders) {
  const Stopwatch watch;
  ROWFEED_RETURN_NOT_OK(reader_.HoldFiles());
  std::vector<uint32_t> permutation = plan_->Permutation(window_);
  reader_.Renumber(&permutation);
  ROWFEED_RETURN_NOT_OK(sink_->Prepare(std::move(permutation), std::move(builders)));
  Counters& counters = *reader_.context().counters;
  counters.Add(Count::kWindows, 1);
  counters.Add(Count::kShuffle, watch.ns());
  return {};
}

}  // namespace rowfeed
