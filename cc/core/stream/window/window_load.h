// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_WINDOW_WINDOW_LOAD_H_
#define ROWFEED_CORE_STREAM_WINDOW_WINDOW_LOAD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/plan/delivery.h"
#include "core/status.h"
#include "core/stream/window/stream_context.h"
#include "core/stream/window/window_reader.h"
#include "core/stream/window/window_sink.h"

namespace rowfeed {

// Loads one window: a reader decodes the rows of its pieces, and a sink brings them to
// the batches that they belong to.
//
// The order of calls is: fetch tasks of the reader, its filter tasks, Prepare, tasks of
// the sink, DropFetched of the reader, LeaveBuilders of the sink. Only then do batches
// that are assembled gather from the sink.
class WindowLoad {
 public:
  // runs[i] and places: where the rows of the window go, see Delivery::Runs. `sink`:
  // makes the sink of the window.
  WindowLoad(std::shared_ptr<const StreamContext> context, const WindowVisit& visit,
             std::vector<Run> runs, std::vector<Place> places, MakeWindowSink* sink);
  // The sink refers to the other members.
  WindowLoad(const WindowLoad&) = delete;
  WindowLoad& operator=(const WindowLoad&) = delete;

  const std::vector<Run>& runs() const { return runs_; }
  WindowReader& reader() { return reader_; }
  WindowSink& sink() { return *sink_; }
  // Shuffles the window. builders[i] receives the rows of runs()[i]; see
  // WindowSink::Prepare.
  Status Prepare(std::vector<std::shared_ptr<BatchBuilder>> builders);

 private:
  const std::shared_ptr<const EpochPlan> plan_;
  const Window window_;
  const std::vector<Run> runs_;
  WindowReader reader_;
  const std::unique_ptr<WindowSink> sink_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_WINDOW_WINDOW_LOAD_H_
