// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/make_arena_maker.h"

#include "core/stream/pipeline/admitted_arenas.h"
#include "core/stream/pipeline/arena_factory.h"
#include "core/stream/pipeline/assembled_arenas.h"

namespace rowfeed {

std::unique_ptr<ArenaMaker> MakeArenaMaker(const StreamContext* context,
                                           const Delivery* delivery, int64_t epoch,
                                           int64_t first_position,
                                           PendingArenas* pending,
                                           PipelineBytes* bytes) {
  if (context->options.mixture) {
    // Its batches are gathered in their final order, whatever lanes rows come from.
    return std::make_unique<AssembledArenas>(
        ArenaFactory(context, delivery, /*num_lanes=*/1, epoch, first_position),
        pending, bytes);
  }
  return std::make_unique<AdmittedArenas>(
      ArenaFactory(context, delivery, context->options.own_lanes(), epoch,
                   first_position),
      pending, bytes);
}

}  // namespace rowfeed
