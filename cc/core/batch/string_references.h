// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_STRING_REFERENCES_H_
#define ROWFEED_CORE_BATCH_STRING_REFERENCES_H_

#include <cstdint>

#include "core/decode/blocks/inline_string.h"

namespace rowfeed {

// The references of a batch: for each row, a pointer to its InlineString. The
// references of one lane lie side by side, in a strip of `strip_rows`: that of slot s
// is in strip s % num_lanes.
class StringReferences {
 public:
  StringReferences(const uint8_t* strips, int64_t num_lanes, int64_t strip_rows,
                   int64_t num_rows)
      : strips_(strips),
        num_lanes_(num_lanes),
        strip_rows_(strip_rows),
        num_rows_(num_rows) {}

  struct Size {
    int64_t bytes = 0;  // total size of the strings
    bool are_short = true;
  };
  Size Measure() const;

  void CopyTo(InlineString* strings) const;
  // Copies the strings to `values`, one after the other, and writes where each begins
  // and the last ends to `offsets`. These may lie where the references do, if the
  // references begin one element later. `values` needs room for kSlack more bytes.
  static constexpr int64_t kSlack = InlineString::kMaxSize;
  void CopyTo(int64_t* offsets, uint8_t* values) const;

 private:
  // Calls function(string) for the string of each slot, in order.
  template <typename Function>
  void ForEach(Function function) const;

  const uint8_t* strips_;
  const int64_t num_lanes_;
  const int64_t strip_rows_;
  const int64_t num_rows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_STRING_REFERENCES_H_
