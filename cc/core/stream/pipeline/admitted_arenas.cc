// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/admitted_arenas.h"

namespace rowfeed {

bool AdmittedArenas::may_assemble() const {
  const BatchLayout& layout = factory_.context().layout;
  return factory_.num_lanes() > 1 || layout.has_variable_parts() || layout.has_stacks();
}

bool AdmittedArenas::NeedsAssembly(const PendingArena& arena) const {
  return arena.builder->NeedsAssembly();
}

std::shared_ptr<PendingArena> AdmittedArenas::Make(int64_t index) const {
  auto arena = factory_.Make(index);
  factory_.MakeBuilder(arena.get());
  return arena;
}

void AdmittedArenas::Connect(const std::shared_ptr<LoadingWindow>& loading, size_t run,
                             PendingArena* arena) {
  arena->windows.emplace_back(loading, run);
  loading->builders[run] = arena->builder;
}

ArenaMaker::Arenas AdmittedArenas::MakeFor(
    const std::shared_ptr<LoadingWindow>& loading, int64_t first_arena) const {
  const std::vector<Run>& runs = loading->load.runs();
  loading->builders.resize(runs.size());
  Arenas arenas;
  for (int64_t k = first_arena; k <= runs.back().arena; ++k) arenas.push_back(Make(k));
  for (size_t run = 0; run < runs.size(); ++run) {
    const int64_t arena = runs[run].arena - first_arena;
    if (arena >= 0) Connect(loading, run, arenas[arena].get());
  }
  return arenas;
}

void AdmittedArenas::Admit(const std::shared_ptr<LoadingWindow>& loading,
                           Arenas arenas) {
  const std::vector<Run>& runs = loading->load.runs();
  const int64_t first_arena = pending_->end();
  for (size_t run = 0; run < runs.size() && runs[run].arena < first_arena; ++run) {
    Connect(loading, run, pending_->at(runs[run].arena).get());
  }
  for (auto& arena : arenas) Push(std::move(arena));
}

void AdmittedArenas::MakePending(int64_t /*count*/, bool all_admitted) {
  while (all_admitted && pending_->end() < factory_.num_arenas()) {
    Push(Make(pending_->end()));
  }
}

void AdmittedArenas::Push(std::shared_ptr<PendingArena> arena) {
  bytes_->Add(arena->bytes);
  pending_->Push(std::move(arena));
}

}  // namespace rowfeed
