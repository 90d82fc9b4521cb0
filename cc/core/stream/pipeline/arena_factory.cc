// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/pipeline/arena_factory.h"

#include "core/batch/batch_builder.h"

namespace rowfeed {

ArenaFactory::ArenaFactory(const StreamContext* context, const Delivery* delivery,
                           int64_t num_lanes, int64_t epoch, int64_t first_position)
    : context_(context),
      delivery_(delivery),
      num_lanes_(num_lanes),
      epoch_(epoch),
      first_position_(first_position),
      full_bytes_(
          BatchBuilder::ArenaBytes(context->layout.parts, delivery->arena_rows())) {}

std::shared_ptr<PendingArena> ArenaFactory::Make(int64_t index) const {
  auto arena = std::make_shared<PendingArena>();
  arena->index = index;
  arena->position = first_position_ + delivery_->ArenaEnd(index - 1);
  arena->end_row = delivery_->ArenaEnd(index);
  const DeliveryOptions& delivery = context_->options.delivery;
  arena->moment = {epoch_, delivery_->ArenaEnd(index - 1) / delivery.global_batch(),
                   delivery.batch_size};
  return arena;
}

void ArenaFactory::MakeBuilder(PendingArena* arena) const {
  const bool with_valid = context_->options.delivery.remainder == Remainder::kPad ||
                          context_->data.may_lose_rows;
  const int64_t rows = delivery_->ArenaRows(arena->index);
  arena->builder = std::make_shared<BatchBuilder>(
      &context_->layout.parts, rows, delivery_->ValidRows(arena->index), with_valid,
      num_lanes_, context_->buffers);
  arena->bytes = rows == delivery_->arena_rows()
                     ? full_bytes_
                     : BatchBuilder::ArenaBytes(context_->layout.parts, rows);
}

}  // namespace rowfeed
