// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_BATCH_STRING_REFERENCES_H_
#define ROWFEED_CORE_BATCH_STRING_REFERENCES_H_

#include <cstdint>

#include "core/decode/blocks/inline_string.h"

namespace rowfeed {

// Pointers to the InlineString of each row of a batch. Those of a lane lie side by
// side, in strips of `strip_rows`: that of slot s is in strip s % num_lanes.
class StringReferences {
 public:
  StringReferences(const uint8_t* strips, int64_t num_lanes, int64_t strip_rows,
                   int64_t num_rows)
      : strips_(strips),
        num_lanes_(num_lanes),
        strip_rows_(strip_rows),
        num_rows_(num_rows) {}

  struct Size {
    int64_t bytes = 0;  // of all strings
    bool are_short = true;
  };
  Size Measure() const;

  void CopyTo(InlineString* strings) const;
  // One string after the other; they begin at `offsets`, which has the end, too, and
  // may lie where the references do, one behind. `values` has room for kSlack bytes
  // more.
  static constexpr int64_t kSlack = InlineString::kMaxSize;
  void CopyTo(int64_t* offsets, uint8_t* values) const;

 private:
  // Calls function(string) for the string of each slot in turn.
  template <typename Function>
  void ForEach(Function function) const;

  const uint8_t* strips_;
  const int64_t num_lanes_;
  const int64_t strip_rows_;
  const int64_t num_rows_;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_BATCH_STRING_REFERENCES_H_
