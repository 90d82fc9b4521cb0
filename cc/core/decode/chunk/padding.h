// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_PADDING_H_
#define ROWFEED_CORE_DECODE_CHUNK_PADDING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace rowfeed {

// How lists, or strings, of any length become rows of one size.
struct Padding {
  // What becomes of a list, or string, that is longer.
  enum class Truncate : uint8_t {
    kEnd,    // its first elements are kept
    kStart,  // its last ones
    kNever,  // it is an error
  };
  // Of the lists at each level of any length, from the outside in; strings are lists of
  // bytes, unless they are encoded.
  std::vector<int64_t> lengths = {1};
  Truncate truncate = Truncate::kEnd;
  std::string value;  // the bytes of one element, behind the elements of shorter lists

  bool operator==(const Padding& other) const {
    return lengths == other.lengths && truncate == other.truncate &&
           value == other.value;
  }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_PADDING_H_
