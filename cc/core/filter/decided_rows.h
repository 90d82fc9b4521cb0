// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_DECIDED_ROWS_H_
#define ROWFEED_CORE_FILTER_DECIDED_ROWS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "core/enum_table.h"

namespace rowfeed {

// What told whether a row passes a filter.
enum class DecidedBy : uint8_t {
  kPlace,        // directories, and the place of the row group
  kStatistics,   // statistics of a chunk, in the footer
  kBloomFilter,  // bloom filters
  kPageIndex,    // page indexes
  kValues,       // the row's values, which were read
};

template <>
struct EnumTable<DecidedBy> {
  static constexpr auto kWhat = "what decides a filter";
  static constexpr std::array kNames = {"places", "statistics", "bloom filters",
                                        "page indexes", "values"};
};

// The number of rows that each of them decided.
struct DecidedRows {
  std::array<int64_t, NumEnumerators<DecidedBy>()> rows = {};

  int64_t& operator[](DecidedBy by) { return rows[static_cast<size_t>(by)]; }
  int64_t total() const {
    return std::accumulate(rows.begin(), rows.end(), int64_t{0});
  }
  void Add(const DecidedRows& other) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] += other.rows[i];
  }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_DECIDED_ROWS_H_
