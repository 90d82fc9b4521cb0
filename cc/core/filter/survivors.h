// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_SURVIVORS_H_
#define ROWFEED_CORE_FILTER_SURVIVORS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.h"
#include "core/filter/decided_rows.h"
#include "core/plan/blocks.h"
#include "core/status.h"

namespace rowfeed {

class RowFilter;

// A file whose statistics, page indexes or bloom filters were found to be wrong: they
// rule out values that were read.
struct LyingFile {
  int32_t file;         // number of the file in the catalog
  std::string warning;  // text that names file, column and writer, and what was read
};

// The result of counting with a filter: how many rows of each block pass (they are its
// survivors), and where they begin and end. This is a pure value: equal data, filter
// and block_rows give equal survivors, whichever way they were found.
struct Survivors {
  using Counts = std::vector<int64_t>;

  // Number of survivors of each block. Blocks are in the order of the catalog, and row
  // groups are cut into blocks as plan/blocks.h says.
  std::shared_ptr<const Counts> counts;
  // For each block, the rows from its first survivor to its last one, numbered within
  // the row group.
  std::vector<Interval> spans;
  // Files whose statistics are wrong, ascending. Their survivors were counted without
  // statistics.
  std::vector<LyingFile> lying_files;
  // What decided about the rows. nullopt: not known, because several processes have
  // counted the same rows.
  std::optional<DecidedRows> decided;

  int64_t num_rows() const;
};

// The row groups that one of several processes counts: every `count`-th one from
// `index` on. Neighbours go to different processes, as the rows that pass a filter are
// often in neighbouring row groups.
struct Share {
  int64_t index = 0;
  int64_t count = 1;

  bool Has(int64_t group) const { return group % count == index; }
};

struct CountOptions {
  int64_t block_rows = 0;
  Share share;  // row groups to count; the others get no survivors
  int num_threads = 1;
  // False: statistics are not used, only directories and the values themselves.
  bool use_statistics = true;
};

// Counts the survivors of a filter. Reads the filter's columns only where footers, page
// indexes and bloom filters do not decide. If these turn out to be wrong, the file is
// counted again without them. `cancelled`, if not empty, is called from time to time,
// in any thread: if it returns true, counting ends with kCancelled.
Result<Survivors> CountSurvivors(const Catalog& catalog, const RowFilter& filter,
                                 const CountOptions& options,
                                 const std::function<bool()>& cancelled);

// Joins what several shares have counted. If one of them found a file's statistics to
// be wrong, the whole file is counted again, as the other shares may have believed
// them.
Result<Survivors> JoinShares(const Catalog& catalog, const RowFilter& filter,
                             int64_t block_rows, int num_threads,
                             const std::vector<Survivors>& shares);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_SURVIVORS_H_
