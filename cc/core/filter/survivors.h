// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_SURVIVORS_H_
#define ROWFEED_CORE_FILTER_SURVIVORS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/plan/blocks.h"
#include "core/status.h"

namespace rowfeed {

class RowFilter;

// How many rows of each block a filter lets pass, and where they begin and end. A
// value: equal data, filter and block_rows give equal survivors, however they are
// found.
struct Survivors {
  using Counts = std::vector<int64_t>;

  // In the order of the catalog; cut as plan/blocks.h says.
  std::shared_ptr<const Counts> counts;
  // The rows of the row group from the first survivor to behind the last one.
  std::vector<Interval> spans;

  int64_t num_rows() const;
};

// Reads the filter's columns where footers, page indexes and bloom filters do not tell.
// `cancelled`, unless it is empty, is asked now and then, in any thread: true ends this
// with kCancelled.
Result<Survivors> CountSurvivors(const Catalog& catalog, const RowFilter& filter,
                                 int64_t block_rows, int num_threads,
                                 const std::function<bool()>& cancelled);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_SURVIVORS_H_
