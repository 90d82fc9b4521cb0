// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_SURVIVORS_H_
#define ROWFEED_CORE_FILTER_SURVIVORS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/plan/blocks.h"
#include "core/status.h"

namespace rowfeed {

class RowFilter;

// A file of which values were read that its statistics, page indexes or bloom filters
// rule out.
struct LyingFile {
  int32_t file;         // of the catalog
  std::string warning;  // names file, column and writer, and says what was read
};

// How many rows of each block a filter lets pass, and where they begin and end. A
// value: equal data, filter and block_rows give equal survivors, however they are
// found.
struct Survivors {
  using Counts = std::vector<int64_t>;

  // In the order of the catalog; cut as plan/blocks.h says.
  std::shared_ptr<const Counts> counts;
  // The rows of the row group from the first survivor to behind the last one.
  std::vector<Interval> spans;
  // Files whose statistics lie, in ascending order: what is here of them is counted
  // without.
  std::vector<LyingFile> lying_files;

  int64_t num_rows() const;
};

// Which row groups to count, where several processes share them: every `count`-th one
// from `index` on. Neighbours go to different processes, because a filter often leaves
// rows of neighbours only.
struct Share {
  int64_t index = 0;
  int64_t count = 1;

  bool Has(int64_t group) const { return group % count == index; }
};

struct CountOptions {
  int64_t block_rows = 0;
  Share share;  // Row groups that are not in it have no survivors.
  int num_threads = 1;
  // False: only directories and values tell.
  bool use_statistics = true;
};

// Reads the filter's columns where footers, page indexes and bloom filters do not tell.
// Where these turn out to be wrong, the file is counted again without them.
// `cancelled`, unless it is empty, is asked now and then, in any thread: true ends this
// with kCancelled.
Result<Survivors> CountSurvivors(const Catalog& catalog, const RowFilter& filter,
                                 const CountOptions& options,
                                 const std::function<bool()>& cancelled);

// Puts what several shares have counted together. A file that one of them found to lie
// is counted again as a whole: the others may have believed it.
Result<Survivors> JoinShares(const Catalog& catalog, const RowFilter& filter,
                             int64_t block_rows, int num_threads,
                             const std::vector<Survivors>& shares);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_SURVIVORS_H_
