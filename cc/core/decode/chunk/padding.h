// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_PADDING_H_
#define ROWFEED_CORE_DECODE_CHUNK_PADDING_H_

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/enum_table.h"
#include "core/fields.h"

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

  static constexpr auto Fields() {
    return std::tuple(Field{"lengths", &Padding::lengths},
                      Field{"truncate", &Padding::truncate},
                      Field{"value", &Padding::value});
  }
  bool operator==(const Padding& other) const {
    return lengths == other.lengths && truncate == other.truncate &&
           value == other.value;
  }
};

template <>
struct EnumTable<Padding::Truncate> {
  static constexpr auto kWhat = "truncate";
  static constexpr std::array kNames = {"end", "start", "never"};
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_PADDING_H_
