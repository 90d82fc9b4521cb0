// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_STATED_INDEX_H_
#define ROWFEED_TESTING_STATED_INDEX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "parquet/page_index.h"

namespace rowfeed::testing {

// A column index that states what a test tells it to.
struct StatedIndex : parquet::ColumnIndex {
  std::vector<bool> nulls;
  std::vector<std::string> mins;
  std::vector<std::string> maxs;
  std::vector<int64_t> counts;
  std::vector<int64_t> levels;
  parquet::BoundaryOrder::type order = parquet::BoundaryOrder::Unordered;
  std::vector<int32_t> unused;

  const std::vector<bool>& null_pages() const override { return nulls; }
  const std::vector<std::string>& encoded_min_values() const override { return mins; }
  const std::vector<std::string>& encoded_max_values() const override { return maxs; }
  parquet::BoundaryOrder::type boundary_order() const override { return order; }
  bool has_null_counts() const override { return !counts.empty(); }
  const std::vector<int64_t>& null_counts() const override { return counts; }
  const std::vector<int32_t>& non_null_page_indices() const override { return unused; }
  bool has_definition_level_histograms() const override { return !levels.empty(); }
  bool has_repetition_level_histograms() const override { return false; }
  const std::vector<int64_t>& definition_level_histograms() const override {
    return levels;
  }
  const std::vector<int64_t>& repetition_level_histograms() const override {
    return levels;
  }
};

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_STATED_INDEX_H_
