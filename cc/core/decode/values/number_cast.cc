// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/number_cast.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "core/decode/values/number_types.h"

namespace rowfeed {
namespace {

// Converts a value to a type that C++ can compute with.
template <typename T>
auto Widen(T value) {
  if constexpr (std::is_same_v<T, Bool>) {
    return static_cast<uint8_t>(value);
  } else if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat(value);
  } else {
    return value;
  }
}

template <typename To>
struct Made {
  To value;
  bool is_exact = true;
};

// Returns a float that, rounded to 16 bits, gives the same result as rounding `value`
// directly.
template <typename Number>
float ForSmallFloat(Number value) {
  if constexpr (std::is_same_v<Number, float>) {
    return value;
  } else if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8) {
    return RoundToOdd(RoundToOdd<Number>(value));
  } else {
    return RoundToOdd(static_cast<double>(value));
  }
}

template <typename Integer, typename Number>
Made<Integer> MakeInteger(Number value) {
  if constexpr (std::is_integral_v<Number>) {
    return {static_cast<Integer>(value), std::in_range<Integer>(value)};
  } else {
    // Both bounds are powers of two (or 0), which floats represent exactly.
    constexpr auto kLeast = static_cast<Number>(std::numeric_limits<Integer>::min());
    constexpr Integer kHalf = std::numeric_limits<Integer>::max() / 2 + 1;
    constexpr auto kEnd = static_cast<Number>(kHalf) * 2;
    const bool is_within = value >= kLeast && value < kEnd;
    const auto integer = static_cast<Integer>(is_within ? value : Number{0});
    return {integer, is_within && static_cast<Number>(integer) == value};
  }
}

template <typename To, typename From>
Made<To> Make(From from) {
  const auto number = Widen(from);
  if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<Bool>(number != 0), number == 0 || number == 1};
  } else if constexpr (std::is_integral_v<To>) {
    return MakeInteger<To>(number);
  } else if constexpr (std::is_same_v<To, Float16>) {
    return {ToFloat16(ForSmallFloat(number))};
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    return {ToBFloat16(ForSmallFloat(number))};
  } else {
    // In C++20 a cast can also make a struct, such as a small float, of a number.
    static_assert(std::is_floating_point_v<To>);
    return {static_cast<To>(number)};
  }
}

template <typename Number>
std::string TextOf(Number number) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.begin(), text.end(), number).ptr;
  return {text.begin(), end};
}

template <typename From, typename To>
class NumberCast final : public Conversion {
 public:
  NumberCast(DType from, DType to)
      : Conversion(sizeof(From), sizeof(To)), from_(from), to_(to) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    for (int64_t begin = 0; begin < count; begin += kRun) {
      const int64_t size = std::min(kRun, count - begin);
      const uint8_t* run = values + begin * sizeof(From);
      if (!ConvertRun(run, size, elements + begin * sizeof(To))) {
        return begin + FirstInexact(run);
      }
    }
    return count;
  }

  std::string Refusal(const uint8_t* value) const override {
    return TextOf(Widen(Load(value))) + " (" + DTypeName(from_) +
           ") cannot be represented as " + DTypeName(to_);
  }

 private:
  // Values that are converted before one test whether all were exact, so that the inner
  // loop has no branch.
  static constexpr int64_t kRun = 1024;

  static From Load(const uint8_t* value) {
    From loaded;
    std::memcpy(&loaded, value, sizeof(loaded));
    return loaded;
  }

  static bool ConvertRun(const uint8_t* __restrict values, int64_t count,
                         uint8_t* __restrict elements) {
    bool is_exact = true;
    for (int64_t i = 0; i < count; ++i) {
      const Made<To> made = Make<To>(Load(values + i * sizeof(From)));
      std::memcpy(elements + i * sizeof(To), &made.value, sizeof(To));
      is_exact &= made.is_exact;
    }
    return is_exact;
  }

  static int64_t FirstInexact(const uint8_t* values) {
    int64_t i = 0;
    while (Make<To>(Load(values + i * sizeof(From))).is_exact) ++i;
    return i;
  }

  const DType from_;
  const DType to_;
};

}  // namespace

std::shared_ptr<const Conversion> MakeNumberCast(DType from, DType to) {
  using Cast = std::shared_ptr<const Conversion>;
  return WithNumberType(from, [&]<typename From>(From) -> Cast {
    return WithNumberType(to, [&]<typename To>(To) -> Cast {
      if constexpr (std::is_null_pointer_v<From> || std::is_null_pointer_v<To> ||
                    std::is_same_v<From, BFloat16>) {  // no file stores BFloat16
        return nullptr;
      } else {
        return std::make_shared<NumberCast<From, To>>(from, to);
      }
    });
  });
}

}  // namespace rowfeed
