// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PLAN_STREAM_PLAN_H_
#define ROWFEED_CORE_PLAN_STREAM_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/plan/epoch_plan.h"
#include "core/plan/mixture.h"

namespace rowfeed {

// In what order the rows of one epoch of a stream come: those of one data set, or those
// of a mixture, of which each source has a plan of its own for each of its own epochs
// that lies in this one (lap 0, 1, ...). Pure and seekable, as EpochPlan is.
class StreamPlan {
 public:
  // Of a mixture; its sources have as many lanes.
  struct Source {
    EpochRows rows;
    OrderOptions order;
  };

  explicit StreamPlan(std::shared_ptr<const EpochPlan> plan);
  // `rounds`: a valid RoundTable's. No source may be empty.
  StreamPlan(std::vector<Source> sources, const std::vector<int64_t>& rounds,
             StopRule stop, int64_t epoch);

  int64_t num_rows() const {
    return mixture_ ? mixture_->num_rows() : first_laps_[0]->num_rows();
  }
  int64_t num_lanes() const { return first_laps_[0]->num_lanes(); }
  size_t num_sources() const { return first_laps_.size(); }
  // nullptr: one data set, whose rows are the global stream.
  const Mixture* mixture() const { return mixture_ ? &*mixture_ : nullptr; }

  // How many rows come, about, from where one lane turns to its next window to where
  // another does: those of a middling window of the source that gives most.
  int64_t WindowRows() const;

  int64_t source_rows(size_t source) const { return first_laps_[source]->num_rows(); }
  std::shared_ptr<const EpochPlan> Lap(size_t source, int64_t lap) const;

  // As Mixture says; the same row where there is one data set.
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
