// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/mixture_options.h"

#include <algorithm>

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

}  // namespace rowfeed
