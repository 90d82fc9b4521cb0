// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_TASKS_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_TASKS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "core/plan/delivery.h"
#include "core/stream/options/gather_ways.h"
#include "core/stream/window/window_reader.h"

namespace rowfeed {

// One task that a sink runs.
struct WindowTask {
  size_t spec;
  // The piece to decode; nullopt: all pieces of the window.
  std::optional<size_t> piece;
};

// The tasks of one window: one for each column that is gathered as a whole, and one for
// each pair of a piece and any other column.
class WindowTasks {
 public:
  // `runs`: where the rows of the window go. `has_buckets`: whether columns may be
  // gathered through buckets.
  WindowTasks(const WindowReader& reader, const std::vector<Run>& runs,
              bool has_buckets);

  size_t size() const { return list_.size(); }
  const WindowTask& operator[](size_t task) const { return list_[task]; }
  GatherWay way(size_t spec) const { return ways_[spec]; }
  // Whether one task decodes the column for all pieces of the window.
  bool IsWhole(size_t spec) const { return ways_[spec] != GatherWay::kPieces; }
  bool has_whole() const { return !list_.empty() && !list_.front().piece; }
  bool has_pieces() const { return !list_.empty() && list_.back().piece; }

 private:
  std::vector<GatherWay> ways_;   // one for each column
  std::vector<WindowTask> list_;  // the tasks of whole columns come first
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_TASKS_H_
