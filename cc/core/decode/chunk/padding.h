// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_PADDING_H_
#define ROWFEED_CORE_DECODE_CHUNK_PADDING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace rowfeed {

// Says how lists or strings of any length become rows of one fixed size.
struct Padding {
  // What is cut off from a list or string that is longer.
  enum class Truncate : uint8_t {
    kEnd,    // the end: the first elements are kept
    kStart,  // the start: the last elements are kept
    kNever,  // nothing: it is an error
  };
  // The length to pad to, for each level of lists of any length, outermost first.
  // Strings count as lists of bytes, unless they are encoded as integers.
  std::vector<int64_t> lengths = {1};
  Truncate truncate = Truncate::kEnd;
  // The bytes of the element that is appended to shorter lists until they are full.
  std::string value;

  bool operator==(const Padding& other) const {
    return lengths == other.lengths && truncate == other.truncate &&
           value == other.value;
  }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_PADDING_H_
