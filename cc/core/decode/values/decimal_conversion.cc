// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/decimal_conversion.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/decode/values/number_types.h"
#include "core/decode/values/stored_decimal.h"

namespace rowfeed {
namespace {

// The powers of ten that float64 represents exactly.
constexpr std::array kPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int64_t kMaxExact = int64_t{1} << 53;

// Returns the float64 nearest to integer * 10^-scale; std::from_chars rounds correctly
// for any number of digits.
double Nearest(const arrow::Decimal256& integer, int16_t scale) {
  const std::string text = integer.ToIntegerString() + "e-" + std::to_string(scale);
  double nearest = 0;
  std::from_chars(text.data(), text.data() + text.size(), nearest);
  return nearest;
}

std::string WrongSize() {
  return "a decimal must have 1 to " + std::to_string(ColumnStorage::kMaxDecimalBytes) +
         " bytes";
}

template <typename Decimals>
class DecimalToFloat64 final : public Conversion {
 public:
  DecimalToFloat64(const Decimals& decimals, int16_t scale)
      : Conversion(decimals.value_bytes(), sizeof(double)),
        decimals_(decimals),
        scale_(scale) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    const bool has_exact_power = scale_ < std::ssize(kPowersOfTen);
    const double power = has_exact_power ? kPowersOfTen[scale_] : 0;
    for (int64_t i = 0; i < count; ++i) {
      const uint8_t* value = values + i * decimals_.value_bytes();
      const std::optional<int64_t> integer = decimals_.Narrow(value);
      double number;
      // Both numbers are exact in float64, so the division rounds only once.
      if (has_exact_power && integer && *integer >= -kMaxExact &&
          *integer <= kMaxExact) {
        number = static_cast<double>(*integer) / power;
      } else {
        if (!decimals_.IsValid(value)) return i;
        number = Nearest(decimals_.Wide(value), scale_);
      }
      std::memcpy(elements + i * sizeof(number), &number, sizeof(number));
    }
    return count;
  }

  std::string Refusal(const uint8_t*) const override { return WrongSize(); }

 private:
  const Decimals decimals_;
  const int16_t scale_;
};

constexpr int16_t kMaxNarrowScale = 18;

int64_t PowerOfTen(int16_t exponent) {
  int64_t power = 1;
  for (int16_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

template <typename Decimals, typename Integer>
class DecimalToInteger final : public Conversion {
 public:
  DecimalToInteger(const Decimals& decimals, int16_t scale, DType to)
      : Conversion(decimals.value_bytes(), sizeof(Integer)),
        decimals_(decimals),
        scale_(scale),
        power_(PowerOfTen(std::min(scale, kMaxNarrowScale))),
        to_(to) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    for (int64_t i = 0; i < count; ++i) {
      const uint8_t* value = values + i * decimals_.value_bytes();
      const std::optional<int64_t> narrow = decimals_.Narrow(value);
      const std::optional<Integer> integer =
          narrow && scale_ <= kMaxNarrowScale ? FromNarrow(*narrow) : FromWide(value);
      if (!integer) return i;
      std::memcpy(elements + i * sizeof(Integer), &*integer, sizeof(Integer));
    }
    return count;
  }

  std::string Refusal(const uint8_t* value) const override {
    if (!decimals_.IsValid(value)) return WrongSize();
    return decimals_.Wide(value).ToString(scale_) +
           " (decimal) cannot be represented as " + DTypeName(to_);
  }

 private:
  std::optional<Integer> FromNarrow(int64_t integer) const {
    const int64_t whole = integer / power_;
    if (whole * power_ != integer || !std::in_range<Integer>(whole)) return {};
    return static_cast<Integer>(whole);
  }

  std::optional<Integer> FromWide(const uint8_t* value) const {
    using Limits = std::numeric_limits<Integer>;
    if (!decimals_.IsValid(value)) return {};
    const auto whole = decimals_.Wide(value).Rescale(scale_, 0);
    if (!whole.ok() || *whole < arrow::Decimal256(Limits::min()) ||
        *whole > arrow::Decimal256(Limits::max())) {
      return {};
    }
    return static_cast<Integer>(whole->low_bits());
  }

  const Decimals decimals_;
  const int16_t scale_;
  const int64_t power_;
  const DType to_;
};

}  // namespace

std::shared_ptr<const Conversion> MakeDecimalToFloat64(const ColumnStorage& storage) {
  using Made = std::shared_ptr<const Conversion>;
  return WithStoredDecimals(storage, [&]<typename D>(const D& decimals) -> Made {
    return std::make_shared<DecimalToFloat64<D>>(decimals, storage.decimal_scale);
  });
}

std::shared_ptr<const Conversion> MakeDecimalToInteger(const ColumnStorage& storage,
                                                       DType to) {
  using Made = std::shared_ptr<const Conversion>;
  return WithStoredDecimals(storage, [&]<typename D>(const D& decimals) -> Made {
    return WithNumberType(to, [&]<typename Integer>(Integer) -> Made {
      if constexpr (std::is_integral_v<Integer>) {
        return std::make_shared<DecimalToInteger<D, Integer>>(
            decimals, storage.decimal_scale, to);
      } else {
        return nullptr;
      }
    });
  });
}

}  // namespace rowfeed
