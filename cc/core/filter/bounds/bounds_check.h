// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FILTER_BOUNDS_BOUNDS_CHECK_H_
#define ROWFEED_CORE_FILTER_BOUNDS_BOUNDS_CHECK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/type_fwd.h"
#include "core/filter/bounds/bounds.h"
#include "core/filter/bounds/split_block_bloom.h"
#include "core/io/random_access_file.h"
#include "core/plan/blocks.h"

namespace rowfeed {

// What we believed about one column of the filter when we chose which rows of a row
// group are decoded.
struct BelievedBounds {
  size_t column;                // number of the filter's column
  std::optional<Bounds> chunk;  // bounds of the chunk; nullopt: none were believed
  // Rows and bounds of the pages that have rows to decode. Both are empty unless some
  // other page was left out.
  std::vector<Interval> page_rows;
  std::vector<Bounds> pages;
  // The bloom filter that was asked; nullptr: none. The file that it refers to may be
  // closed by now.
  std::shared_ptr<const SplitBlockBloom> bloom;
};

// Compares the decoded values of a row group with what we believed about them. If a
// belief is false for values that were decoded, it may also have been false for values
// that were left out because of it.
class BoundsCheck {
 public:
  // All references must outlive the check.
  BoundsCheck(const arrow::Schema& schema, const std::vector<BelievedBounds>& believed,
              const RandomAccessFile& file, int64_t group_rows);

  // Checks decoded values. They belong to column number `column` of the filter, and
  // begin with row `begin` of the row group. Each row is given once, in any order.
  void Look(size_t column, int64_t begin, const arrow::Array& values);

  // A statement of the file that was found to be false: the number of the filter's
  // column, and in words what is wrong.
  struct Lie {
    size_t column;
    std::string what;
  };
  // Returns a false statement, if one was found. Call it after the last rows.
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
  std::vector<Seen> seen_;  // what was seen so far, for each of believed_
  std::optional<Lie> found_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FILTER_BOUNDS_BOUNDS_CHECK_H_
