// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_WANTED_ROWS_H_
#define ROWFEED_CORE_DECODE_CHUNK_WANTED_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace rowfeed {

// The rows of a row group that a request wants: all of [begin, end), or some of them.
// An error in another row is ignored, and its values may be anything.
class WantedRows {
 public:
  // `some`: the wanted rows, counted from `begin` and ascending; nullptr: all. It must
  // outlive this object.
  WantedRows(int64_t begin, int64_t end, const std::vector<uint32_t>* some)
      : begin_(begin), end_(end), some_(some) {}

  bool Contains(int64_t row) const {
    if (row < begin_ || row >= end_) return false;
    return some_ == nullptr || std::binary_search(some_->begin(), some_->end(),
                                                  static_cast<uint32_t>(row - begin_));
  }

  bool HasAnyIn(int64_t begin, int64_t end) const {
    return some_ == nullptr ? begin < end_ && end > begin_ : !In(begin, end).empty();
  }

  // Returns the first wanted row of [begin, end) for which `matches` is true; -1 if
  // there is none.
  template <typename Predicate>
  int64_t Find(int64_t begin, int64_t end, const Predicate& matches) const {
    if (some_ != nullptr) {
      for (const uint32_t row : In(begin, end)) {
        if (matches(begin_ + row)) return begin_ + row;
      }
      return -1;
    }
    for (int64_t row = std::max(begin, begin_); row < std::min(end, end_); ++row) {
      if (matches(row)) return row;
    }
    return -1;
  }

 private:
  std::span<const uint32_t> In(int64_t begin, int64_t end) const {
    const auto at = [&](int64_t row) {
      const auto key = static_cast<uint32_t>(std::clamp(row, begin_, end_) - begin_);
      return std::lower_bound(some_->begin(), some_->end(), key);
    };
    return {at(begin), at(end)};
  }

  int64_t begin_;
  int64_t end_;
  const std::vector<uint32_t>* some_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_WANTED_ROWS_H_
