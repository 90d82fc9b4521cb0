// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/epochs/epoch_data.h"

namespace rowfeed {

EpochData EpochDataOf(const StreamOptions& options) {
  const bool grows = options.growth.has_value();
  return {.is_listed_anew = grows, .may_lose_rows = grows};
}

}  // namespace rowfeed
