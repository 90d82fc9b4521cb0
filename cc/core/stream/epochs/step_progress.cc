// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/step_progress.h"

#include "core/plan/delivery.h"
#include "core/stream/epochs/plan_epoch.h"

namespace rowfeed {

Result<Progress> ProgressOfStep(const StreamOptions& options, const SourceRows& sources,
                                int64_t first_epoch, int64_t step) {
  ROWFEED_ASSIGN_OR_RETURN(const int64_t first_rows,
                           NumRowsIn(options, sources, first_epoch));
  const int64_t steps = BatchesPerEpoch(first_rows, 0, options.delivery);
  if (steps == 0) return Status::Invalid("there is no step ", step);
  Progress progress;
  progress.epochs_done = step / steps;
  progress.epoch = first_epoch + progress.epochs_done;
  ROWFEED_ASSIGN_OR_RETURN(const int64_t num_rows,
                           NumRowsIn(options, sources, progress.epoch));
  progress.row = RowOfStep(num_rows, 0, step % steps, options.delivery);
  progress.next_epoch = progress.epoch + 1;
  return progress;
}

}  // namespace rowfeed
