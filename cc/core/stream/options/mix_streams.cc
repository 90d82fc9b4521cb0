// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/mix_streams.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace rowfeed {

Result<StreamOptions> MixStreams(MixtureOptions mixture) {
  if (mixture.sources.empty()) return Status::Invalid("a mixture needs a source");
  StreamOptions options = mixture.sources[0];
  for (const StreamOptions& source : mixture.sources) {
    options.max_batches_per_arena =
        std::min(options.max_batches_per_arena, source.max_batches_per_arena);
  }
  options.mixture = std::make_shared<const MixtureOptions>(std::move(mixture));
  return options;
}

}  // namespace rowfeed
