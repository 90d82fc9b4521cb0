// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/assembled_arenas.h"

namespace rowfeed {

ArenaMaker::Arenas AssembledArenas::MakeFor(
    const std::shared_ptr<LoadingWindow>& /*loading*/, int64_t /*first_arena*/) const {
  return {};
}

void AssembledArenas::Admit(const std::shared_ptr<LoadingWindow>& loading,
                            Arenas /*arenas*/) {
  Waiting window{loading, 0};
  while (!window.done() && window.arena() < pending_->end()) {
    pending_->at(window.arena())->windows.emplace_back(loading, window.next_run);
    ++window.next_run;
  }
  if (!window.done()) waiting_.push(std::move(window));
}

void AssembledArenas::MakePending(int64_t count, bool /*all_admitted*/) {
  while (pending_->size() < count && pending_->end() < factory_.num_arenas()) {
    pending_->Push(factory_.Make(pending_->end()));
    PendingArena* const arena = pending_->at(pending_->end() - 1).get();
    while (!waiting_.empty() && waiting_.top().arena() == arena->index) {
      Waiting window = waiting_.top();
      waiting_.pop();
      arena->windows.emplace_back(window.loading, window.next_run++);
      if (!window.done()) waiting_.push(std::move(window));
    }
  }
}

void AssembledArenas::BeginAssembly(PendingArena* arena) {
  factory_.MakeBuilder(arena);
  bytes_->Add(arena->bytes);
}

}  // namespace rowfeed
