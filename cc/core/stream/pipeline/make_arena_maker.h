// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_PIPELINE_MAKE_ARENA_MAKER_H_
#define ROWFEED_CORE_STREAM_PIPELINE_MAKE_ARENA_MAKER_H_

#include <cstdint>
#include <memory>

#include "core/plan/delivery.h"
#include "core/stream/pipeline/arena_maker.h"
#include "core/stream/pipeline/pending_arena.h"
#include "core/stream/pipeline/stream_control.h"
#include "core/stream/window/stream_context.h"

namespace rowfeed {

// Makes the arena maker of an epoch: AdmittedArenas, or AssembledArenas for a mixture.
// `epoch`: the number of the epoch. `first_position`: the position of its row 0 in the
// pool's order. All arguments must outlive the result.
std::unique_ptr<ArenaMaker> MakeArenaMaker(const StreamContext* context,
                                           const Delivery* delivery, int64_t epoch,
                                           int64_t first_position,
                                           PendingArenas* pending,
                                           PipelineBytes* bytes);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_PIPELINE_MAKE_ARENA_MAKER_H_
