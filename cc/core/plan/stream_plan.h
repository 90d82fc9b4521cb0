// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_STREAM_PLAN_H_
#define ROWFEED_CORE_PLAN_STREAM_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/export.h"
#include "core/plan/epoch_plan.h"
#include "core/plan/mixture.h"

namespace rowfeed {

// Computes the order of the rows of one epoch of a stream, which has one data set or a
// mixture of several (sources). Each source of a mixture has an EpochPlan for each of
// its own epochs within this epoch (its laps 0, 1, ...). A pure function, as EpochPlan
// is.
class ROWFEED_EXPORT StreamPlan {
 public:
  // One source of a mixture. All sources have the same number of lanes.
  struct Source {
    EpochRows rows;
    OrderOptions order;
  };

  explicit StreamPlan(std::shared_ptr<const EpochPlan> plan);
  // `rounds` must be valid for a RoundTable. No source may be empty.
  StreamPlan(std::vector<Source> sources, const std::vector<int64_t>& rounds,
             StopRule stop, int64_t epoch);

  int64_t num_rows() const {
    return mixture_ ? mixture_->num_rows() : first_laps_[0]->num_rows();
  }
  int64_t num_lanes() const { return first_laps_[0]->num_lanes(); }
  size_t num_sources() const { return first_laps_.size(); }
  // nullptr: there is one data set, whose rows are the global stream.
  const Mixture* mixture() const { return mixture_ ? &*mixture_ : nullptr; }

  // Estimates how many rows of the stream lie between the place where one lane begins
  // its next window and the place where another lane does. For a source, this is the
  // size of its median window, divided by its share of the stream's rows. The result is
  // that of the source for which it is least.
  int64_t WindowRows() const;

  int64_t source_rows(size_t source) const { return first_laps_[source]->num_rows(); }
  std::shared_ptr<const EpochPlan> Lap(size_t source, int64_t lap) const;

  // Both do what Mixture's functions of that name do. For a single data set they return
  // `row`.
  int64_t RowOf(size_t source, int64_t row) const {
    return mixture_ ? mixture_->RowOf(source, row) : row;
  }
  int64_t RowsBefore(size_t source, int64_t row) const {
    return mixture_ ? mixture_->RowsBefore(source, row) : row;
  }

 private:
  std::shared_ptr<const EpochPlan> MakeLap(size_t source, int64_t lap) const;

  const std::vector<Source> sources_;
  const int64_t epoch_ = 0;
  std::vector<std::shared_ptr<const EpochPlan>> first_laps_;
  std::optional<Mixture> mixture_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PLAN_STREAM_PLAN_H_
