// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/restored_epochs.h"

#include <algorithm>

namespace rowfeed {

bool RestoredEpochs::IsCurrent(const std::weak_ptr<void>& pipeline) const {
  return !pipeline.owner_before(pipeline_) && !pipeline_.owner_before(pipeline);
}

int64_t RestoredEpochs::Add(const std::weak_ptr<void>& pipeline, int64_t next_epoch) {
  next_epoch_ = IsCurrent(pipeline) ? std::max(next_epoch_, next_epoch) : next_epoch;
  pipeline_ = pipeline;
  return next_epoch_;
}

Progress RestoredPlace(const Progress& saved, int64_t next_epoch) {
  if (next_epoch == saved.epoch) return saved;
  return {next_epoch, 0, next_epoch + 1, 0};
}

}  // namespace rowfeed
