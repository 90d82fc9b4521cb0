// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_PLAN_EPOCH_H_
#define ROWFEED_CORE_STREAM_EPOCHS_PLAN_EPOCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/export.h"
#include "core/plan/epoch_plan.h"
#include "core/plan/stream_plan.h"
#include "core/status.h"
#include "core/stream/epochs/dataset_rows.h"
#include "core/stream/options/options.h"

namespace rowfeed {

ROWFEED_EXPORT Catalogs CatalogsOf(const SourceRows& sources);

// Returns the order of an epoch of a stream with these options, which must be valid.
// `rows` are those of each source.
std::shared_ptr<const StreamPlan> PlanEpoch(const StreamOptions& options,
                                            std::vector<EpochRows> rows, int64_t epoch);

// Returns the number of rows of an epoch, without a plan. It depends on the number of
// rows that an epoch of each source has. kInvalid: a mixture has a source without rows.
ROWFEED_EXPORT Result<int64_t> NumRowsIn(const StreamOptions& options,
                                         const std::vector<int64_t>& source_rows,
                                         int64_t epoch);
// Does the same for rows that may have to be counted first.
ROWFEED_EXPORT Result<int64_t> NumRowsIn(
    const StreamOptions& options, const SourceRows& sources, int64_t epoch,
    const DatasetRows::Cancelled& cancelled = nullptr);
// Returns an upper bound of NumRowsIn that holds whatever filters let pass.
ROWFEED_EXPORT int64_t MaxRowsIn(const StreamOptions& options,
                                 const SourceRows& sources, int64_t epoch);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_PLAN_EPOCH_H_
