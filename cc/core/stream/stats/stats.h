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

#include "core/enum_table.h"
#include "core/export.h"

namespace rowfeed {

// Sums over all iterations of a dataset. Times are in nanoseconds; those of concurrent
// threads are added up.
enum class Count : size_t {
  kRows,           // rows delivered, fill rows included
  kBatches,        // batches delivered
  kBytes,          // bytes of the arenas of delivered batches
  kWindows,        // windows that were fetched, filtered and shuffled
  kOverBudget,     // windows that were loaded although the budget had no room for them
  kFilteredRows,   // rows that the filter has looked at and dropped
  kLostRows,       // rows that are fill because their files were gone
  kElapsed,        // time from an iteration's first pull until its latest one returned
  kWait,           // time that the consumer waited in pulls
  kFirstWait,      // time that the consumer waited for each epoch's first batch
  kConvert,        // time to make tensors of a framework from batches
  kTransform,      // time in the user's transform function
  kFetch,          // time that threads waited for remote files; it is not in kBusy
  kFetchedBytes,   // bytes fetched of remote files
  kFetchRequests,  // requests for these bytes
  kFetchRetries,   // requests that were repeated
  kStopped,        // time during which the next window did not fit into the budget
  kBusy,           // time of threads in tasks: all times below, and that of reading
  kShuffle,        // time for permutations, lists of indexes and memory
  kAssemble,       // time for offsets, stacks and batches of mixtures
};

template <>
struct EnumTable<Count> {
  static constexpr auto kWhat = "count";
  static constexpr std::array kNames = {
      "rows",          "batches",   "bytes",   "windows",       "windows_over_budget",
      "filtered_rows", "lost_rows", "elapsed", "wait",          "first_wait",
      "convert",       "transform", "fetch",   "fetched_bytes", "fetch_requests",
      "fetch_retries", "stopped",   "busy",    "shuffle",       "assemble"};
};
inline constexpr size_t kNumCounts = NumEnumerators<Count>();

// Sums for one column. Times are in nanoseconds.
enum class ColumnCount : size_t {
  kReadBytes,
  kRequests,  // number of reads
  kRead,      // time of reads; if the file was fetched, time of copies from memory
  kDecompress,
  // Time to decode, and to decompress where Arrow does it. For the filter: time to
  // compute it. For wide rows of one size: also time to put them into batches.
  kDecode,
  kGather,  // time to put rows into batches, with look-ups in dictionaries
};

template <>
struct EnumTable<ColumnCount> {
  static constexpr auto kWhat = "count of a column";
  static constexpr std::array kNames = {"read_bytes", "requests", "read",
                                        "decompress", "decode",   "gather"};
};
inline constexpr size_t kNumColumnCounts = NumEnumerators<ColumnCount>();

// Numbers that describe the present state.
enum class Level : size_t {
  kBytesInFlight,  // bytes that count in the memory budget
  kPeakBytes,      // the most bytes in flight so far
  kQueuedTasks,
  kRunningTasks,
};

template <>
struct EnumTable<Level> {
  static constexpr auto kWhat = "level";
  static constexpr std::array kNames = {"bytes_in_flight", "peak_bytes_in_flight",
                                        "queued_tasks", "running_tasks"};
};
inline constexpr size_t kNumLevels = NumEnumerators<Level>();

struct Totals {
  std::array<int64_t, kNumCounts> counts{};
  // The sums of each column, in the order of Stats::columns. The last ones are those of
  // the filter.
  std::vector<std::array<int64_t, kNumColumnCounts>> columns;

  int64_t operator[](Count count) const { return counts[static_cast<size_t>(count)]; }
  int64_t of(size_t column, ColumnCount count) const {
    return columns[column][static_cast<size_t>(count)];
  }
  // Returns what was added since `before`, which has the same columns.
  Totals Since(const Totals& before) const;
};

struct EpochTotals {
  int64_t epoch;
  Totals totals;
};

struct CountedColumn {
  std::string name;   // name of the column in the files
  std::string codec;  // compression codec as Arrow calls it; empty: none
};

// What a dataset's iterations have done in this process.
struct Stats {
  int num_threads = 0;
  int64_t memory_budget_bytes = 0;
  std::array<int64_t, kNumLevels> levels{};
  std::vector<CountedColumn> columns;
  Totals totals;
  // The latest epochs that were delivered to their ends. Work counts in the epoch that
  // was running when it was done, even if it was for the next one.
  std::deque<EpochTotals> epochs;
};

// Returns the numbers for Python, which has names for all of them
// (_stats/counts.py and _stats/json.py).
ROWFEED_EXPORT std::string ToJson(const Stats& stats);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_STREAM_STATS_STATS_H_
