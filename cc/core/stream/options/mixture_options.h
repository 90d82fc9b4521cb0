// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_MIXTURE_OPTIONS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_MIXTURE_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/fields.h"
#include "core/plan/mixture.h"
#include "core/status.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// The options of a stream over several data sets.
struct MixtureOptions {
  // The weights from an epoch on: for each source, its rounds in a period of
  // RoundTable.
  struct Weights {
    int64_t first_epoch = 0;
    std::vector<int64_t> rounds;

    static constexpr auto Fields() {
      return std::tuple(Field{"first_epoch", &Weights::first_epoch},
                        Field{"rounds", &Weights::rounds});
    }
  };

  // Only columns and order count here. Outputs have the same types and shapes, so
  // that rows of all of them fit one batch.
  std::vector<StreamOptions> sources;
  StopRule stop = StopRule::kFirstExhausted;
  std::vector<Weights> weights;  // by ascending first_epoch; the first is 0

  static constexpr auto Fields() {
    return std::tuple(Field{"sources", &MixtureOptions::sources}.OfOrder(),
                      Field{"stop", &MixtureOptions::stop}.OfOrder(),
                      Field{"weights", &MixtureOptions::weights}.OfOrder());
  }

  const std::vector<int64_t>& RoundsIn(int64_t epoch) const;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_MIXTURE_OPTIONS_H_
