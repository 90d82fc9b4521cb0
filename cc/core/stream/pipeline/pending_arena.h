// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_PENDING_ARENA_H_
#define ROWFEED_CORE_STREAM_PIPELINE_PENDING_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "core/batch/batch_builder.h"
#include "core/status.h"
#include "core/stream/pipeline/loading_window.h"
#include "core/stream/stats/counters.h"

namespace rowfeed {

// An arena that is not handed over yet.
struct PendingArena {
  enum class Stage { kLoading, kAssembling, kReady };

  // nullptr: it is made when the assembly begins.
  std::shared_ptr<BatchBuilder> builder;
  int64_t index;
  int64_t position;
  int64_t end_row;    // windows from this row on have no rows for this arena
  int64_t bytes = 0;  // part of the pipeline's bytes in flight once it is pending
  BatchBuilder::Moment moment;
  Stage stage = Stage::kLoading;
  bool dropped = false;
  // The admitted windows that have rows for this arena, and which of their runs has
  // them.
  std::vector<std::pair<std::shared_ptr<LoadingWindow>, size_t>> windows;
  Status status;

  // Whether the windows that are admitted so far are loaded.
  bool has_loaded_windows() const;
  // Completes the arena out of its windows. Takes a while: call it without the mutex.
  Status Assemble(Counters* counters) const;
};

// The pending arenas of an epoch: number num_taken, num_taken + 1, ...
class PendingArenas {
 public:
  int64_t num_taken() const { return num_taken_; }
  int64_t size() const { return std::ssize(arenas_); }
  // The number of the first arena that is not pending yet.
  int64_t end() const { return num_taken_ + size(); }
  bool is_ready() const {
    return !arenas_.empty() && arenas_.front()->stage == PendingArena::Stage::kReady;
  }
  // Returns the arena with this number in the epoch.
  const std::shared_ptr<PendingArena>& at(int64_t arena) const {
    return arenas_[arena - num_taken_];
  }
  // Adds arena number end().
  void Push(std::shared_ptr<PendingArena> arena) {
    arenas_.push_back(std::move(arena));
  }
  std::shared_ptr<PendingArena> Take() {
    std::shared_ptr<PendingArena> arena = std::move(arenas_.front());
    arenas_.pop_front();
    ++num_taken_;
    return arena;
  }

 private:
  int64_t num_taken_ = 0;
  std::deque<std::shared_ptr<PendingArena>> arenas_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_PENDING_ARENA_H_
