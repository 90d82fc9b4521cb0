// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_SCHEMA_REFUSED_LEAVES_H_
#define ROWFEED_CORE_CATALOG_SCHEMA_REFUSED_LEAVES_H_

#include <string>
#include <vector>

namespace rowfeed {

// Parquet columns of a file, from `begin` to before `end`, whose type Arrow refuses.
// The parsed footer has another type in its place, which must not be believed.
struct RefusedLeaves {
  int begin = 0;
  int end = 0;
  std::string why;

  bool operator==(const RefusedLeaves&) const = default;
};

using RefusedTypes = std::vector<RefusedLeaves>;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_SCHEMA_REFUSED_LEAVES_H_
