// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_ROW_INTERVALS_H_
#define ROWFEED_CORE_FILTER_ROW_INTERVALS_H_

#include <vector>

#include "core/plan/blocks.h"

namespace rowfeed {

// Returns the rows that are in both `a` and `b`, each of which is ascending.
std::vector<Interval> Intersect(const std::vector<Interval>& a,
                                const std::vector<Interval>& b);

// Joins `rows` to the last interval if they touch; else adds them as another one.
void Append(Interval rows, std::vector<Interval>* intervals);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_ROW_INTERVALS_H_
