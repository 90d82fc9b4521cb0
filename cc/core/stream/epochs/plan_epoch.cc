// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/plan_epoch.h"

#include <utility>

#include "core/plan/mixture.h"
#include "core/stream/epochs/epoch_data.h"
#include "core/stream/options/mixture_options.h"

namespace rowfeed {
namespace {

int64_t NumRowsOf(const StreamOptions& options, const std::vector<int64_t>& source_rows,
                  int64_t epoch) {
  if (!options.mixture) return source_rows[0];
  const MixtureOptions& mixture = *options.mixture;
  return Mixture(RoundTable(mixture.RoundsIn(options.OrderEpoch(epoch))), source_rows,
                 options.order.num_lanes, mixture.stop)
      .num_rows();
}

}  // namespace

Catalogs CatalogsOf(const SourceRows& sources) {
  Catalogs catalogs;
  catalogs.reserve(sources.size());
  for (const auto& source : sources) catalogs.push_back(source->catalog());
  return catalogs;
}

std::shared_ptr<const StreamPlan> PlanEpoch(const StreamOptions& options,
                                            std::vector<EpochRows> rows,
                                            int64_t epoch) {
  const int64_t order_epoch = options.OrderEpoch(epoch);
  if (!options.mixture) {
    return std::make_shared<StreamPlan>(
        std::make_shared<EpochPlan>(std::move(rows[0]), options.order, order_epoch));
  }
  const MixtureOptions& mixture = *options.mixture;
  std::vector<StreamPlan::Source> sources;
  sources.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    sources.push_back({std::move(rows[i]), mixture.sources[i].order});
  }
  return std::make_shared<StreamPlan>(std::move(sources), mixture.RoundsIn(order_epoch),
                                      mixture.stop, order_epoch);
}

Result<int64_t> NumRowsIn(const StreamOptions& options,
                          const std::vector<int64_t>& source_rows, int64_t epoch) {
  for (size_t i = 0; options.mixture && i < source_rows.size(); ++i) {
    if (source_rows[i] > 0) continue;
    return Status::Invalid("source ", i, " has no rows that its filter lets pass");
  }
  return NumRowsOf(options, source_rows, epoch);
}

Result<int64_t> NumRowsIn(const StreamOptions& options, const SourceRows& sources,
                          int64_t epoch, const DatasetRows::Cancelled& cancelled) {
  std::vector<int64_t> source_rows;
  for (const auto& source : sources) {
    ROWFEED_ASSIGN_OR_RETURN(const int64_t rows, source->NumRows(cancelled));
    source_rows.push_back(rows);
  }
  return NumRowsIn(options, source_rows, epoch);
}

int64_t MaxRowsIn(const StreamOptions& options, const SourceRows& sources,
                  int64_t epoch) {
  if (EpochDataOf(options).is_listed_anew) return INT64_MAX;
  std::vector<int64_t> source_rows;
  source_rows.reserve(sources.size());
  for (const auto& source : sources) {
    source_rows.push_back(source->catalog()->num_rows());
  }
  return NumRowsOf(options, source_rows, epoch);
}

}  // namespace rowfeed
