// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_ADMITTED_ARENAS_H_
#define ROWFEED_CORE_STREAM_PIPELINE_ADMITTED_ARENAS_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/stream/pipeline/arena_factory.h"
#include "core/stream/pipeline/arena_maker.h"
#include "core/stream/window/direct_gather.h"

namespace rowfeed {

// Arenas that exist when their windows are admitted, so that tasks gather straight into
// them. A window is made together with all arenas up to its last one.
class AdmittedArenas final : public ArenaMaker {
 public:
  // `pending` and `bytes` must outlive this object.
  AdmittedArenas(ArenaFactory factory, PendingArenas* pending, PipelineBytes* bytes)
      : factory_(factory), pending_(pending), bytes_(bytes) {}

  MakeWindowSink* make_sink() const override { return MakeSink<DirectGather>; }
  bool may_assemble() const override;
  bool NeedsAssembly(const PendingArena& arena) const override;
  Arenas MakeFor(const std::shared_ptr<LoadingWindow>& loading,
                 int64_t first_arena) const override;
  void Admit(const std::shared_ptr<LoadingWindow>& loading, Arenas arenas) override;
  // After the last window, makes all arenas that are left: they have fill rows only.
  void MakePending(int64_t count, bool all_admitted) override;
  void BeginAssembly(PendingArena* /*arena*/) override {}

 private:
  std::shared_ptr<PendingArena> Make(int64_t index) const;
  // Connects an arena with the run of a window that has rows for it.
  static void Connect(const std::shared_ptr<LoadingWindow>& loading, size_t run,
                      PendingArena* arena);
  void Push(std::shared_ptr<PendingArena> arena);

  const ArenaFactory factory_;
  PendingArenas* const pending_;
  PipelineBytes* const bytes_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ADMITTED_ARENAS_H_
