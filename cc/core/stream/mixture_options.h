// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_MIXTURE_OPTIONS_H_
#define ROWFEED_CORE_STREAM_MIXTURE_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/plan/mixture.h"
#include "core/plan/stream_plan.h"
#include "core/status.h"
#include "core/stream/dataset_rows.h"
#include "core/stream/options.h"
#include "core/wire.h"

namespace rowfeed {

// What makes a stream one over several data sets.
struct MixtureOptions {
  // From this epoch on, of each source: rounds of a period, as of RoundTable.
  struct Weights {
    int64_t first_epoch = 0;
    std::vector<int64_t> rounds;
  };

  // Of each, features and order count. Their outputs have the same types and shapes, so
  // that rows of all of them fit one batch.
  std::vector<StreamOptions> sources;
  StopRule stop = StopRule::kFirstExhausted;
  std::vector<Weights> weights;  // by ascending first_epoch, from 0 on

  // Against the catalogs of the sources; the names of sources are "source 0", ...
  Status Validate(const Catalogs& catalogs) const;

  const std::vector<int64_t>& RoundsIn(int64_t epoch) const;

  void Write(WireWriter* out) const;
  // nullptr: these are not the bytes of one.
  static std::shared_ptr<const MixtureOptions> Read(WireReader* in);
};

Catalogs CatalogsOf(const SourceRows& sources);

// The order of an epoch of a stream with these options, which must be valid. `rows`: of
// each source.
std::shared_ptr<const StreamPlan> PlanEpoch(const StreamOptions& options,
                                            std::vector<EpochRows> rows, int64_t epoch);

// The rows of that epoch, without a plan: a function of how many rows an epoch of each
// source has. A mixture with a source that has none is an error.
Result<int64_t> NumRowsIn(const StreamOptions& options,
                          const std::vector<int64_t>& source_rows, int64_t epoch);
// The same, of rows that may have to be counted first.
Result<int64_t> NumRowsIn(const StreamOptions& options, const SourceRows& sources,
                          int64_t epoch,
                          const DatasetRows::Cancelled& cancelled = nullptr);
// No more than that can be, whatever filters leave.
int64_t MaxRowsIn(const StreamOptions& options, const SourceRows& sources,
                  int64_t epoch);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_MIXTURE_OPTIONS_H_
