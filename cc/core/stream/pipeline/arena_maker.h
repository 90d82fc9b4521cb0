// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_ARENA_MAKER_H_
#define ROWFEED_CORE_STREAM_PIPELINE_ARENA_MAKER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/plan/delivery.h"
#include "core/stream/pipeline/loading_window.h"
#include "core/stream/pipeline/pending_arena.h"
#include "core/stream/pipeline/stream_control.h"
#include "core/stream/window/stream_context.h"
#include "core/stream/window/window_sink.h"

namespace rowfeed {

// Decides when the arenas of an epoch are made, and connects them with the windows that
// have rows for them. Every member but MakeFor is called with StreamControl::mutex
// held.
class ArenaMaker {
 public:
  using Arenas = std::vector<std::shared_ptr<PendingArena>>;

  virtual ~ArenaMaker() = default;

  // Returns what makes the sinks of the windows that fill these arenas.
  virtual MakeWindowSink* make_sink() const = 0;
  // Whether an arena may need more work after all its windows are loaded.
  virtual bool may_assemble() const = 0;
  // Whether this arena does. Call it when its windows are loaded.
  virtual bool NeedsAssembly(const PendingArena& arena) const = 0;
  // Makes the arenas, from number `first_arena` on, that must exist before the window
  // is loaded. A task calls it without the mutex, because a window may have hundreds of
  // arenas.
  virtual Arenas MakeFor(const std::shared_ptr<LoadingWindow>& loading,
                         int64_t first_arena) const = 0;
  // Admits a window: `arenas`, which MakeFor has made for it, become pending.
  virtual void Admit(const std::shared_ptr<LoadingWindow>& loading, Arenas arenas) = 0;
  // Makes arenas that no window makes. `count`: how many of the pending arenas will be
  // looked at. `all_admitted`: whether no window is to come.
  virtual void MakePending(int64_t count, bool all_admitted) = 0;
  // Gives the arena all that its assembly needs.
  virtual void BeginAssembly(PendingArena* arena) = 0;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ARENA_MAKER_H_
