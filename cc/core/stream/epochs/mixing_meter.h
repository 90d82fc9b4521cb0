// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_EPOCHS_MIXING_METER_H_
#define ROWFEED_CORE_STREAM_EPOCHS_MIXING_METER_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/plan/delivery.h"
#include "core/plan/epoch_plan.h"
#include "core/plan/stream_plan.h"
#include "core/stream/epochs/mixing_forecast.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Estimates how well a few batches of an epoch are mixed. Only for one data set. The
// arguments must outlive this object.
class MixingMeter {
 public:
  MixingMeter(const StreamOptions& options, const Catalog& catalog,
              const StreamPlan& plan);

  // Must be called for each window of the epoch, with its pieces.
  void Add(const WindowVisit& visit, const std::vector<Piece>& pieces);

  std::optional<MixingForecast> Result() const;

 private:
  // The probability that a row group, or a file, has no row in the batch.
  using Absent = std::unordered_map<int64_t, double>;
  struct Batch {
    int64_t index;
    Absent groups;
    Absent files;
  };

  static double NumExpected(const Absent& absent);
  // Returns the row of the global stream with which a window ends.
  int64_t EndOf(const WindowVisit& visit) const;
  // Returns the number of rows of a window that are in a batch of this rank.
  int64_t RowsIn(int64_t batch, const WindowVisit& visit) const;

  const StreamOptions& options_;
  const Catalog& catalog_;
  const int64_t num_rows_;
  std::vector<Batch> batches_;
  double moves_ = 0;  // sum over windows: rows times their expected displacement
  double rows_ = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_EPOCHS_MIXING_METER_H_
