// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_STATS_TASK_SPANS_H_
#define ROWFEED_CORE_STREAM_STATS_TASK_SPANS_H_

#include <cstdint>

namespace rowfeed {

// Tells the profiler of a framework when a task begins and ends, on the task's thread.
// nullptr: there is no profiler. The functions are called for every task, so that they
// should cost next to nothing while nobody profiles.
struct TaskSpans {
  int64_t (*begin)(const char* name) = nullptr;
  void (*end)(int64_t begun) = nullptr;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_TASK_SPANS_H_
