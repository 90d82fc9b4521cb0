// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/row_intervals.h"

#include <algorithm>
#include <cstddef>

namespace rowfeed {

std::vector<Interval> Intersect(const std::vector<Interval>& a,
                                const std::vector<Interval>& b) {
  std::vector<Interval> both;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval common{std::max(a[i].begin, b[j].begin),
                          std::min(a[i].end, b[j].end)};
    if (common.size() > 0) both.push_back(common);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return both;
}

void Append(Interval rows, std::vector<Interval>* intervals) {
  if (!intervals->empty() && intervals->back().end == rows.begin) {
    intervals->back().end = rows.end;
  } else {
    intervals->push_back(rows);
  }
}

}  // namespace rowfeed
