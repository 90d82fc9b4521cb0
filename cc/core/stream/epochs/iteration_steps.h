// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_ITERATION_STEPS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_ITERATION_STEPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/export.h"
#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// The number of batches that an iteration delivers.
struct NumSteps {
  bool endless = false;
  // nullopt: the number is not known, or there is no end.
  std::optional<int64_t> count;
};

// Returns the number of steps of any iteration, over epochs of which `source_rows` says
// how many rows they have of each source. It is not known if a source of a mixture has
// no rows, if the weights of a mixture change the number of steps in an epoch, or if
// it is more than an int64_t holds.
ROWFEED_EXPORT NumSteps StepsOfIteration(const StreamOptions& options,
                                         const std::vector<int64_t>& source_rows,
                                         int64_t first_epoch);

// Returns the place where step `step` begins, in an iteration that begins with
// `first_epoch` and whose epochs all have the same number of steps. kInvalid: there is
// no such step, or a mixture has a source without rows.
ROWFEED_EXPORT Result<Progress> PlaceOfStep(const StreamOptions& options,
                                            const std::vector<int64_t>& source_rows,
                                            int64_t first_epoch, int64_t step);
// Does the same for rows that may have to be counted first.
ROWFEED_EXPORT Result<Progress> PlaceOfStep(const StreamOptions& options,
                                            const SourceRows& sources,
                                            int64_t first_epoch, int64_t step);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_ITERATION_STEPS_H_
