// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/file_candidates.h"

#include <cstddef>
#include <utility>

namespace rowfeed {

Result<FileCandidates> FindCandidates(const Catalog& catalog,
                                      const std::vector<int64_t>& groups,
                                      Pruner* pruner) {
  std::vector<RowGroup> row_groups;
  row_groups.reserve(groups.size());
  for (const int64_t group : groups) {
    row_groups.push_back(catalog.row_groups()[group]);
  }
  FileCandidates found;
  size_t num_fetched = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i == num_fetched) {
      const auto begin = row_groups.begin() + static_cast<std::ptrdiff_t>(i);
      ROWFEED_ASSIGN_OR_RETURN(const size_t num_more,
                               pruner->Fetch({begin, row_groups.end()}));
      num_fetched += num_more;
    }
    Result<Candidates> candidates = pruner->Prune(row_groups[i]);
    if (!candidates.ok()) {
      return candidates.status().WithContext(catalog.Where(groups[i]) + ": statistics");
    }
    if (pruner->found_lie()) {
      FileCandidates nothing;
      nothing.found = FileCandidates::Contradiction{groups[i], *pruner->found_lie()};
      return nothing;
    }
    found.has_parts = found.has_parts || candidates->is_part_of(row_groups[i]);
    found.candidates.push_back(*std::move(candidates));
  }
  return found;
}

}  // namespace rowfeed
