// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_ASSEMBLED_ARENAS_H_
#define ROWFEED_CORE_STREAM_PIPELINE_ASSEMBLED_ARENAS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>

#include "core/stream/pipeline/arena_factory.h"
#include "core/stream/pipeline/arena_maker.h"
#include "core/stream/window/held_window.h"

namespace rowfeed {

// Arenas of a mixture, whose memory is allocated when all their windows are loaded and
// their assembly begins. Only the next few are pending: a source with a small weight
// has windows with rows in millions of arenas.
class AssembledArenas final : public ArenaMaker {
 public:
  // `pending` and `bytes` must outlive this object.
  AssembledArenas(ArenaFactory factory, PendingArenas* pending, PipelineBytes* bytes)
      : factory_(factory), pending_(pending), bytes_(bytes) {}

  MakeWindowSink* make_sink() const override { return MakeSink<HeldWindow>; }
  bool may_assemble() const override { return true; }
  bool NeedsAssembly(const PendingArena& /*arena*/) const override { return true; }
  // Makes no arenas.
  Arenas MakeFor(const std::shared_ptr<LoadingWindow>& loading,
                 int64_t first_arena) const override;
  void Admit(const std::shared_ptr<LoadingWindow>& loading, Arenas arenas) override;
  // Makes arenas until `count` of them are pending.
  void MakePending(int64_t count, bool all_admitted) override;
  void BeginAssembly(PendingArena* arena) override;

 private:
  // A window with runs for arenas that are not pending yet.
  struct Waiting {
    int64_t arena() const { return loading->load.runs()[next_run].arena; }
    bool done() const { return next_run == loading->load.runs().size(); }
    bool operator<(const Waiting& other) const { return arena() > other.arena(); }

    std::shared_ptr<LoadingWindow> loading;
    size_t next_run;
  };

  const ArenaFactory factory_;
  PendingArenas* const pending_;
  PipelineBytes* const bytes_;
  std::priority_queue<Waiting> waiting_;  // on top: the window with the earliest arena
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ASSEMBLED_ARENAS_H_
