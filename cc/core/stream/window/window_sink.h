// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_SINK_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_SINK_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/plan/delivery.h"
#include "core/status.h"
#include "core/stream/window/window_reader.h"

namespace rowfeed {

// Brings the rows of one window to the batches that they belong to. What kind of sink a
// window has decides when batches gather: while the window is loaded (DirectGather), or
// when they are assembled (HeldWindow).
//
// The order of calls is: Prepare, tasks, LeaveBuilders, and then GatherRun and
// GatherUnits for each batch.
class WindowSink {
 public:
  virtual ~WindowSink() = default;

  // Returns about how many bytes the window keeps in memory until its last batch is
  // assembled.
  virtual int64_t HeldBytes() const = 0;
  virtual size_t num_tasks() const = 0;
  // `permutation`: the shuffle of the window, see EpochPlan::Permutation. builders[i]
  // receives the rows of run i; a sink whose batches are made later gets none.
  virtual Status Prepare(std::vector<uint32_t> permutation,
                         std::vector<std::shared_ptr<BatchBuilder>> builders) = 0;
  // Runs one task. Tasks run in any order and concurrently. They end soon after
  // `cancelled` is set.
  virtual Status RunTask(size_t task, const std::atomic<bool>& cancelled) = 0;
  // Releases the builders, so that a batch that was dropped keeps no memory. Call it
  // after the last task.
  virtual void LeaveBuilders() = 0;
  // Copies into `builder` what it still lacks of one run: rows of fixed parts, and
  // lengths of variable parts. Adds to *column_ns the time that it has counted in the
  // statistics of single columns.
  virtual Status GatherRun(size_t run, BatchBuilder* builder,
                           int64_t* column_ns) const = 0;
  // Copies the units of every variable part of one run into `builder`, except those of
  // strings that are referred to. Call it when the builder has its offsets. `column_ns`
  // is as in GatherRun.
  virtual Status GatherUnits(size_t run, BatchBuilder* builder,
                             int64_t* column_ns) const = 0;
};

// Makes a sink for a window that `reader` reads. `runs` and `places` are as in
// WindowLoad; `reader` and `runs` outlive the sink.
using MakeWindowSink = std::unique_ptr<WindowSink>(const WindowReader* reader,
                                                   const std::vector<Run>* runs,
                                                   std::vector<Place> places);

// Makes a sink of type Sink.
template <typename Sink>
std::unique_ptr<WindowSink> MakeSink(const WindowReader* reader,
                                     const std::vector<Run>* runs,
                                     std::vector<Place> places) {
  return std::make_unique<Sink>(reader, runs, std::move(places));
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_SINK_H_
