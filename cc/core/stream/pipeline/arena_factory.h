// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_ARENA_FACTORY_H_
#define ROWFEED_CORE_STREAM_PIPELINE_ARENA_FACTORY_H_

#include <cstdint>
#include <memory>

#include "core/plan/delivery.h"
#include "core/stream/pipeline/pending_arena.h"
#include "core/stream/window/stream_context.h"

namespace rowfeed {

// Makes the arenas of one epoch, and their builders. It never changes, so that it needs
// no lock.
class ArenaFactory {
 public:
  // `num_lanes`: see BatchBuilder. `epoch`: the number of the epoch. `first_position`:
  // the position of its row 0 in the pool's order. The context and the delivery must
  // outlive this object.
  ArenaFactory(const StreamContext* context, const Delivery* delivery,
               int64_t num_lanes, int64_t epoch, int64_t first_position);

  const StreamContext& context() const { return *context_; }
  int64_t num_arenas() const { return delivery_->num_arenas(); }
  int64_t num_lanes() const { return num_lanes_; }
  // Makes an arena that has no builder yet.
  std::shared_ptr<PendingArena> Make(int64_t index) const;
  void MakeBuilder(PendingArena* arena) const;

 private:
  const StreamContext* const context_;
  const Delivery* const delivery_;
  const int64_t num_lanes_;
  const int64_t epoch_;
  const int64_t first_position_;
  const int64_t full_bytes_;  // size of a full arena, before units are known
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_ARENA_FACTORY_H_
