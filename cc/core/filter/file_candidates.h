// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_FILE_CANDIDATES_H_
#define ROWFEED_CORE_FILTER_FILE_CANDIDATES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/filter/bounds/bounds_check.h"
#include "core/filter/pruner.h"
#include "core/status.h"

namespace rowfeed {

// The candidates of some row groups of one file.
struct FileCandidates {
  // Statements of the file that contradict each other, which make its candidates
  // worthless. `group` is the number of the row group in the catalog.
  struct Contradiction {
    int64_t group;
    BoundsCheck::Lie lie;
  };

  // One for each row group. There are none if a contradiction was found.
  std::vector<Candidates> candidates;
  std::optional<Contradiction> found;
  bool has_parts = false;  // one of the row groups has some, but not all rows
};

// Finds the candidates of row groups `groups` of the catalog, all of which belong to
// the file that `pruner` has opened.
Result<FileCandidates> FindCandidates(const Catalog& catalog,
                                      const std::vector<int64_t>& groups,
                                      Pruner* pruner);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_FILE_CANDIDATES_H_
