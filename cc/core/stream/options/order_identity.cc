// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/order_identity.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/filter/expression/filter_columns.h"
#include "core/plan/random.h"
#include "core/stream/options/mixture_options.h"

namespace rowfeed {
namespace {

std::string TextOf(int64_t value) { return std::to_string(value); }
std::string TextOf(uint64_t value) { return std::to_string(value); }
std::string TextOf(bool value) { return value ? "1" : "0"; }
std::string TextOf(const std::optional<int64_t>& value) {
  return TextOf(value.value_or(-1));
}
std::string TextOf(const std::string& filter) { return FilterDigest(filter); }
std::string TextOf(StopRule rule) { return std::to_string(static_cast<int>(rule)); }
std::string TextOf(const std::vector<MixtureOptions::Weights>& weights) {
  std::string text;
  for (const MixtureOptions::Weights& each : weights) {
    text.append(TextOf(each.first_epoch));
    char separator = ':';
    for (const int64_t rounds : each.rounds) {
      text.append(1, separator).append(TextOf(rounds));
      separator = ',';
    }
    text.append(1, ';');
  }
  return text;
}

void AddSource(const StreamOptions& options, const std::string& fingerprint,
               const std::string& suffix, std::vector<OrderValue>* values) {
  // A growing data set has a fingerprint for each epoch, none for all.
  values->push_back({"data" + suffix, options.growth ? "growing" : fingerprint});
  values->push_back({"order version" + suffix, TextOf(int64_t{kOrderVersion})});
  VisitOrder(options, [&](const auto& field, const auto& value) {
    values->push_back({field.name + suffix, TextOf(value)});
  });
}

}  // namespace

std::vector<OrderValue> OrderIdentity(const StreamOptions& options,
                                      const std::vector<std::string>& fingerprints) {
  std::vector<OrderValue> values;
  if (!options.mixture) {
    AddSource(options, fingerprints[0], "", &values);
    return values;
  }
  VisitFields(*options.mixture, [&](const auto& field, const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const std::vector<StreamOptions>&>) {
      for (size_t i = 0; i < value.size(); ++i) {
        AddSource(value[i], fingerprints[i], " of source " + std::to_string(i),
                  &values);
      }
    } else {
      values.push_back({field.name, TextOf(value)});
    }
  });
  return values;
}

}  // namespace rowfeed
