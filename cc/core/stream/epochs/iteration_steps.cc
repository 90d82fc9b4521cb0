// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/iteration_steps.h"

#include <limits>

#include "core/plan/delivery.h"
#include "core/stream/epochs/plan_epoch.h"
#include "core/stream/options/mixture_options.h"

namespace rowfeed {

NumSteps StepsOfIteration(const StreamOptions& options,
                          const std::vector<int64_t>& source_rows,
                          int64_t first_epoch) {
  const auto steps_in = [&](int64_t epoch) -> std::optional<int64_t> {
    const Result<int64_t> num_rows = NumRowsIn(options, source_rows, epoch);
    if (!num_rows.ok()) return std::nullopt;
    return BatchesPerEpoch(*num_rows, 0, options.delivery);
  };
  const std::optional<int64_t> steps = steps_in(first_epoch);
  // An epoch without batches is not followed by another.
  if (!steps || *steps == 0) return {false, steps};
  const auto& mixture = options.mixture;
  if (!options.num_epochs || (mixture && mixture->stop == StopRule::kEndless)) {
    return {true, std::nullopt};
  }
  // Nobody knows which epochs an iteration will have, so their steps must be equal.
  for (size_t i = 0; mixture && i < mixture->weights.size(); ++i) {
    if (steps_in(mixture->weights[i].first_epoch) != steps) return {};
  }
  if (*options.num_epochs > std::numeric_limits<int64_t>::max() / *steps) return {};
  return {false, *options.num_epochs * *steps};
}

Result<Progress> PlaceOfStep(const StreamOptions& options,
                             const std::vector<int64_t>& source_rows,
                             int64_t first_epoch, int64_t step) {
  ROWFEED_ASSIGN_OR_RETURN(const int64_t first_rows,
                           NumRowsIn(options, source_rows, first_epoch));
  const int64_t steps = BatchesPerEpoch(first_rows, 0, options.delivery);
  if (step < 0 || steps == 0) {
    return Status::Invalid("There is no step ", step, ": an epoch has ", steps,
                           " steps");
  }
  Progress place;
  place.epochs_done = step / steps;
  place.epoch = first_epoch + place.epochs_done;
  ROWFEED_ASSIGN_OR_RETURN(const int64_t num_rows,
                           NumRowsIn(options, source_rows, place.epoch));
  place.row = RowOfStep(num_rows, 0, step % steps, options.delivery);
  place.next_epoch = place.epoch + 1;
  return place;
}

Result<Progress> PlaceOfStep(const StreamOptions& options, const SourceRows& sources,
                             int64_t first_epoch, int64_t step) {
  std::vector<int64_t> source_rows;
  source_rows.reserve(sources.size());
  for (const auto& source : sources) {
    ROWFEED_ASSIGN_OR_RETURN(const int64_t rows, source->NumRows());
    source_rows.push_back(rows);
  }
  return PlaceOfStep(options, source_rows, first_epoch, step);
}

}  // namespace rowfeed
