// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_WIDTH_H_
#define ROWFEED_CORE_WIDTH_H_

#include <cstdint>
#include <cstring>

namespace rowfeed {

// Copies items whose width in bytes the compiler knows. Items need no alignment.
// AnyWidth does the same for a width that is known only at run time.
template <int64_t kWidth>
struct FixedWidth {
  int64_t get() const { return kWidth; }
  void Copy(uint8_t* __restrict out, const uint8_t* __restrict in) const {
    std::memcpy(out, in, kWidth);
  }
};

struct AnyWidth {
  int64_t width;
  int64_t get() const { return width; }
  void Copy(uint8_t* __restrict out, const uint8_t* __restrict in) const {
    std::memcpy(out, in, width);
  }
};

// Calls function(width) with a FixedWidth for a common width, else with AnyWidth. So
// the width is looked at once per call, not once per item.
template <typename Function>
auto WithWidth(int64_t width, Function&& function) {
  switch (width) {
    case 1:
      return function(FixedWidth<1>());
    case 2:
      return function(FixedWidth<2>());
    case 4:
      return function(FixedWidth<4>());
    case 8:
      return function(FixedWidth<8>());
    case 16:
      return function(FixedWidth<16>());
    default:
      return function(AnyWidth{width});
  }
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_WIDTH_H_
