// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_CHECK_H_
#define ROWFEED_CORE_FILTER_BOUNDS_CHECK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/type_fwd.h"
#include "core/filter/bounds.h"
#include "core/filter/split_block_bloom.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"

namespace rowfeed {

// What was believed of one column of the filter when the rows of a row group
// were chosen that are decoded.
struct BelievedBounds {
  size_t column;                    // of the filter
  std::optional<Bounds> chunk;      // nullopt: nothing
  std::vector<Interval> page_rows;  // pages with rows that are decoded; empty unless
  std::vector<Bounds> pages;        // others were left out
  // nullptr: none was asked. Its file may be closed.
  std::shared_ptr<const SplitBlockBloom> bloom;
};

// Compares the values of a row group that are decoded with what was believed of
// them: what lies of these may have lied of values that were left out.
class BoundsCheck {
 public:
  // All references must outlive it.
  BoundsCheck(const arrow::Schema& schema, const std::vector<BelievedBounds>& believed,
              const RandomAccessFile& file, int64_t group_rows);

  // `values` are those of a column of the filter from row `begin` of the row
  // group on. Rows come once, in any order.
  void Look(size_t column, int64_t begin, const arrow::Array& values);

  // Call after the last rows. A lie that was found: the column of the filter,
  // and what is wrong, in words.
  struct Lie {
    size_t column;
    std::string what;
  };
  std::optional<Lie> Found();

 private:
  void LookAtBounds(size_t column, const Bounds& bounds, const arrow::Array& values,
                    const std::string& where);
  void LookAtPages(const BelievedBounds& believed, int64_t begin,
                   const arrow::Array& values);
  void LookAtBloom(const BelievedBounds& believed, const arrow::Array& values);
  void Say(size_t column, std::string what);

  struct Seen {
    int64_t rows = 0;
    int64_t nulls = 0;
    bool bloom = false;
  };

  const arrow::Schema& schema_;
  const std::vector<BelievedBounds>& believed_;
  const RandomAccessFile& file_;
  const int64_t group_rows_;
  std::vector<Seen> seen_;  // of each of believed_
  std::optional<Lie> found_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_CHECK_H_
