// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_STEP_PROGRESS_H_
#define ROWFEED_CORE_STREAM_EPOCHS_STEP_PROGRESS_H_

#include <cstdint>

#include "core/status.h"
#include "core/stream/epochs/cursor.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Returns where an iteration that began with `first_epoch` stands before its step
// number `step`. All its epochs must have the same number of steps. Rows are counted if
// they are not known. kInvalid: no epoch has a step.
Result<Progress> ProgressOfStep(const StreamOptions& options, const SourceRows& sources,
                                int64_t first_epoch, int64_t step);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_STEP_PROGRESS_H_
