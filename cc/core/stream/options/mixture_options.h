// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_MIXTURE_OPTIONS_H_
#define ROWFEED_CORE_STREAM_OPTIONS_MIXTURE_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/plan/mixture.h"
#include "core/status.h"
#include "core/stream/options/options.h"
#include "core/wire.h"

namespace rowfeed {

// What makes a stream one over several data sets.
struct MixtureOptions {
  // From this epoch on, of each source: rounds of a period, as of RoundTable.
  struct Weights {
    int64_t first_epoch = 0;
    std::vector<int64_t> rounds;
  };

  // Only features and order count here. Outputs have the same types and shapes, so
  // that rows of all of them fit one batch.
  std::vector<StreamOptions> sources;
  StopRule stop = StopRule::kFirstExhausted;
  std::vector<Weights> weights;  // by ascending first_epoch, from 0 on

  const std::vector<int64_t>& RoundsIn(int64_t epoch) const;

  void Write(WireWriter* out) const;
  // nullptr: these are not the bytes of one.
  static std::shared_ptr<const MixtureOptions> Read(WireReader* in);
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_MIXTURE_OPTIONS_H_
