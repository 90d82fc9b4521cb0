// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_LOADING_WINDOW_H_
#define ROWFEED_CORE_STREAM_PIPELINE_LOADING_WINDOW_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/status.h"
#include "core/stream/window/window_load.h"

namespace rowfeed {

// A window from its admission until its last arena is complete. All members but `load`
// and `has_failed` are guarded by StreamControl::mutex once the window is admitted.
struct LoadingWindow {
  WindowLoad load;
  int64_t position;
  int64_t first_row;
  int64_t held_bytes;
  int64_t fetched_bytes = 0;  // its part of the pipeline's bytes in flight
  // The builder of the arena of each run. Prepare takes them. Empty if the arenas are
  // made later.
  std::vector<std::shared_ptr<BatchBuilder>> builders;
  size_t tasks_left = 0;     // unfinished tasks of the current stage
  size_t checks_left = 0;    // unfinished checks, which run beside the stages
  bool is_over = false;      // all stages have ended
  Status status;             // the first error of a task
  Status check_status = {};  // the first error of a check; it explains those of tasks
  std::atomic<bool> has_failed = false;  // the remaining tasks need not run
  bool is_loaded = false;
  size_t uses_left;  // users left: the arena of each run, and the loading itself
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_LOADING_WINDOW_H_
