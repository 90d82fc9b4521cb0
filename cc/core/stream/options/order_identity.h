// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_OPTIONS_ORDER_IDENTITY_H_
#define ROWFEED_CORE_STREAM_OPTIONS_ORDER_IDENTITY_H_

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/export.h"
#include "core/fields.h"
#include "core/stream/options/options.h"

namespace rowfeed {

// Calls visit(field, value) for each option that decides the order of one data set (or
// of one source of a mixture): first the fields of OrderOptions, then the fields that
// StreamOptions adds to them.
template <typename Visitor>
void VisitOrder(const StreamOptions& options, Visitor&& visit) {
  VisitFields(options, [&](const auto& field, const auto& value) {
    if constexpr (std::decay_t<decltype(field)>::kRole == FieldRole::kOrder) {
      if constexpr (kHasFields<std::decay_t<decltype(value)>>) {
        VisitFields(value, visit);
      } else {
        visit(field, value);
      }
    }
  });
}

// A value that decides the order of rows.
struct OrderValue {
  std::string name;   // the name in messages
  std::string value;  // its value as text without spaces
};

// Returns all that two streams must have in common for a place in the order of one to
// be the same place in the order of the other: the data, the version of the order, and
// the options that decide it. `fingerprints` has one entry for each source. Checkpoints
// hold the values, so their sequence and form must not change.
ROWFEED_EXPORT std::vector<OrderValue> OrderIdentity(
    const StreamOptions& options, const std::vector<std::string>& fingerprints);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_OPTIONS_ORDER_IDENTITY_H_
