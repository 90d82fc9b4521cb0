// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_STREAM_STATS_STATS_H_
#define ROWFEED_CORE_STREAM_STATS_STATS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace rowfeed {

// Sums of a dataset's iterations. Times are in nanoseconds; those of threads that work
// at once are added up.
enum class Count : size_t {
  kRows,           // delivered, fill rows included
  kBatches,        // delivered
  kBytes,          // of their arenas
  kWindows,        // whose loading began
  kOverBudget,     // windows that were loaded though the budget was spent
  kFilteredRows,   // looked at by the filter and dropped
  kLostRows,       // fill, as their files were gone when their windows were loaded
  kElapsed,        // from an iteration's first pull until its latest one returned
  kWait,           // the consumer's, in those pulls
  kFirstWait,      // that for the first batch of each epoch
  kConvert,        // of batches into tensors of a framework
  kTransform,      // in the user's function
  kTransformWait,  // the consumer's, where there is such a function
  kFetch,          // of threads that fetch remote files, waiting; not busy ones
  kFetchedBytes,   // of remote files
  kFetchRequests,  // that they were asked in
  kFetchRetries,   // of these
  kStopped,        // the next window did not fit into the budget
  kBusy,           // of threads, in tasks: all that is below, reading too
  kShuffle,        // permutations, index lists, memory
  kAssemble,       // offsets, stacks, batches of mixtures
};
inline constexpr size_t kNumCounts = 21;
inline constexpr std::array<const char*, kNumCounts> kCountNames = {
    "rows",
    "batches",
    "bytes",
    "windows",
    "windows_over_budget",
    "filtered_rows",
    "lost_rows",
    "elapsed",
    "wait",
    "first_wait",
    "convert",
    "transform",
    "transform_wait",
    "fetch",
    "fetched_bytes",
    "fetch_requests",
    "fetch_retries",
    "stopped",
    "busy",
    "shuffle",
    "assemble"};

// Sums of one column.
enum class ColumnCount : size_t {
  kReadBytes,
  kRequests,  // reads that were asked for
  kRead,      // time; of remote files that were fetched, of copies out of memory
  kDecompress,
  kDecode,  // also what Arrow decompresses; of a filter, its computation; into batches
            // where rows of one size are wide
  kGather,  // into batches, dictionaries looked up
};
inline constexpr size_t kNumColumnCounts = 6;
inline constexpr std::array<const char*, kNumColumnCounts> kColumnCountNames = {
    "read_bytes", "requests", "read", "decompress", "decode", "gather"};

// What there is now.
enum class Level : size_t {
  kBytesInFlight,  // that count in the memory budget
  kPeakBytes,      // the most that they have been
  kQueuedTasks,
  kRunningTasks,
};
inline constexpr size_t kNumLevels = 4;
inline constexpr std::array<const char*, kNumLevels> kLevelNames = {
    "bytes_in_flight", "peak_bytes_in_flight", "queued_tasks", "running_tasks"};

struct Totals {
  std::array<int64_t, kNumCounts> counts{};
  // In the order of Stats::columns; the last one is of the filter.
  std::vector<std::array<int64_t, kNumColumnCounts>> columns;

  int64_t operator[](Count count) const { return counts[static_cast<size_t>(count)]; }
  int64_t of(size_t column, ColumnCount count) const {
    return columns[column][static_cast<size_t>(count)];
  }
  // What was added since; `before` is of the same columns.
  Totals Since(const Totals& before) const;
};

struct EpochTotals {
  int64_t epoch;
  Totals totals;
};

struct CountedColumn {
  std::string name;   // of the column in the files
  std::string codec;  // that it is compressed with, as Arrow calls it; or empty
};

// What a dataset's iterations have done in this process.
struct Stats {
  int num_threads = 0;
  int64_t memory_budget_bytes = 0;
  std::array<int64_t, kNumLevels> levels{};
  std::vector<CountedColumn> columns;
  Totals totals;
  // The latest that were delivered to their ends. Work counts in the epoch that was
  // running when it was done, also if it was for the next one.
  std::deque<EpochTotals> epochs;
};

// For Python, which has names for all numbers (python/rowfeed/_stats/numbers.py).
std::string ToJson(const Stats& stats);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_STATS_H_
