// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/window_tasks.h"

namespace rowfeed {

WindowTasks::WindowTasks(const WindowReader& reader, const std::vector<Run>& runs,
                         bool has_buckets) {
  const WindowShape shape{
      .num_rows = reader.num_rows(),
      .has_buckets = has_buckets,
      .mixes_rows = reader.pieces().size() > 1 || runs.front().slot_step > 1};
  for (size_t spec = 0; spec < reader.num_columns(); ++spec) {
    ways_.push_back(WayOf(reader.first_part(spec), shape));
    if (IsWhole(spec)) list_.push_back({spec, std::nullopt});
  }
  for (size_t piece = 0; piece < reader.pieces().size(); ++piece) {
    for (size_t spec = 0; spec < reader.num_columns(); ++spec) {
      if (!IsWhole(spec)) list_.push_back({spec, piece});
    }
  }
}

}  // namespace rowfeed
