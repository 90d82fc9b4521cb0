// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/mixture_options.h"

#include <algorithm>
#include <utility>

namespace rowfeed {
namespace {

constexpr size_t kMinSourceBytes = sizeof(uint64_t);

}  // namespace

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

void MixtureOptions::Write(WireWriter* out) const {
  out->Integer(static_cast<uint64_t>(sources.size()));
  for (const StreamOptions& source : sources) out->String(source.Serialize());
  out->Integer(stop);
  out->Integer(static_cast<uint64_t>(weights.size()));
  for (const Weights& each : weights) {
    out->Integer(each.first_epoch);
    out->Integer(static_cast<uint64_t>(each.rounds.size()));
    for (const int64_t rounds : each.rounds) out->Integer(rounds);
  }
}

std::shared_ptr<const MixtureOptions> MixtureOptions::Read(WireReader* in) {
  auto read = std::make_shared<MixtureOptions>();
  read->sources.resize(in->Count(kMinSourceBytes));
  for (StreamOptions& source : read->sources) {
    Result<StreamOptions> parsed =
        StreamOptions::Parse(in->String(), /*is_source=*/true);
    if (!parsed.ok()) return nullptr;
    source = *std::move(parsed);
  }
  read->stop = in->Integer<StopRule>();
  read->weights.resize(in->Count(2 * sizeof(int64_t)));
  for (Weights& each : read->weights) {
    each.first_epoch = in->Integer<int64_t>();
    each.rounds.resize(in->Count(sizeof(int64_t)));
    for (int64_t& rounds : each.rounds) rounds = in->Integer<int64_t>();
  }
  if (read->sources.empty() || read->stop > StopRule::kEndless) return nullptr;
  return read;
}

}  // namespace rowfeed
