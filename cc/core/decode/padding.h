// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_PADDING_H_
#define ROWFEED_CORE_DECODE_PADDING_H_

#include <cstdint>
#include <string>

namespace rowfeed {

// How lists, or strings, of any length become rows of one size.
struct Padding {
  // What becomes of a row that is longer.
  enum class Truncate : uint8_t {
    kEnd,    // its first elements are kept
    kStart,  // its last ones
    kNever,  // it is an error
  };
  int64_t length = 1;
  Truncate truncate = Truncate::kEnd;
  std::string value;  // the bytes of one element, behind the elements of shorter rows

  bool operator==(const Padding& other) const {
    return length == other.length && truncate == other.truncate && value == other.value;
  }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_PADDING_H_
