// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/mixture_options.h"

#include <algorithm>
#include <utility>

namespace rowfeed {

// Here, where what a mixture has is known.
const StreamOptions& StreamOptions::source(size_t index) const {
  return mixture ? mixture->sources[index] : *this;
}

const std::vector<int64_t>& MixtureOptions::RoundsIn(int64_t epoch) const {
  const auto after = std::upper_bound(
      weights.begin(), weights.end(), epoch,
      [](int64_t at, const Weights& each) { return at < each.first_epoch; });
  return after == weights.begin() ? weights[0].rounds : (after - 1)->rounds;
}

StreamOptions Mix(std::vector<StreamOptions> sources, StopRule stop,
                  std::vector<MixtureOptions::Weights> weights) {
  StreamOptions options = sources[0];
  for (const StreamOptions& source : sources) {
    options.max_batches_per_arena =
        std::min(options.max_batches_per_arena, source.max_batches_per_arena);
  }
  options.mixture = std::make_shared<const MixtureOptions>(
      MixtureOptions{std::move(sources), stop, std::move(weights)});
  return options;
}

}  // namespace rowfeed
