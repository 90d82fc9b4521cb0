// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/time_conversion.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace rowfeed {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kNanosPerSecond = 1'000'000'000;

struct Unit {
  std::string_view name;
  int64_t per_second;
};
constexpr std::array<Unit, 4> kUnits = {
    {{"s", 1}, {"ms", 1'000}, {"us", 1'000'000}, {"ns", kNanosPerSecond}}};

// nullopt for the "days" of dates, and for other names that are no unit.
std::optional<Unit> FindUnit(std::string_view name) {
  const auto* found = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const Unit& unit) { return unit.name == name; });
  if (found == kUnits.end()) return std::nullopt;
  return *found;
}

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

template <typename T>
T Load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// Writes a day, counted from 1970-01-01, as a date.
std::string DateOf(int64_t day) {
  constexpr int64_t kLastOfYear9999 = 2'932'896;
  if (std::abs(day) > kLastOfYear9999) return "day " + std::to_string(day);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  const auto digits = [](unsigned number) {
    return (number < 10 ? "-0" : "-") + std::to_string(number);
  };
  return std::to_string(int{date.year()}) + digits(unsigned{date.month()}) +
         digits(unsigned{date.day()});
}

// Converts INT96 timestamps: 8 bytes of nanoseconds within the day, then 4 bytes of the
// Julian day.
class Int96ToUnit final : public Conversion {
 public:
  explicit Int96ToUnit(Unit unit) : Conversion(12, sizeof(int64_t)), unit_(unit) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    const int64_t per_day = kSecondsPerDay * unit_.per_second;
    const int64_t nanos_per_unit = kNanosPerSecond / unit_.per_second;
    for (int64_t i = 0; i < count; ++i) {
      const uint8_t* value = values + i * value_bytes();
      // A day is a whole number of units, so rounding down its nanoseconds rounds down
      // the sum.
      const __int128 wide = static_cast<__int128>(DayOf(value)) * per_day +
                            FloorDiv(Load<int64_t>(value), nanos_per_unit);
      const auto time = static_cast<int64_t>(wide);
      if (time != wide) return i;
      std::memcpy(elements + i * sizeof(time), &time, sizeof(time));
    }
    return count;
  }

  std::string Refusal(const uint8_t* value) const override {
    return "a timestamp of " + DateOf(DayOf(value)) + " does not fit in int64 " +
           std::string(unit_.name) + ": ask for a coarser unit, such as \"us\"";
  }

 private:
  static constexpr int64_t kSecondsPerDay = 86'400;
  static constexpr int64_t kJulianDayOf1970 = 2'440'588;

  static int64_t DayOf(const uint8_t* value) {
    return int64_t{Load<uint32_t>(value + sizeof(int64_t))} - kJulianDayOf1970;
  }

  const Unit unit_;
};

template <typename Stored>
class ToFinerUnit final : public Conversion {
 public:
  ToFinerUnit(Unit from, Unit to)
      : Conversion(sizeof(Stored), sizeof(int64_t)),
        from_(from),
        to_(to),
        factor_(to.per_second / from.per_second) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    const int64_t most = kMax / factor_;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t time = Load<Stored>(values + i * sizeof(Stored));
      if (time > most || time < kMin / factor_) return i;
      const int64_t finer = time * factor_;
      std::memcpy(elements + i * sizeof(finer), &finer, sizeof(finer));
    }
    return count;
  }

  std::string Refusal(const uint8_t* value) const override {
    return std::to_string(Load<Stored>(value)) + " " + std::string(from_.name) +
           " does not fit in int64 " + std::string(to_.name);
  }

 private:
  const Unit from_;
  const Unit to_;
  const int64_t factor_;
};

// The divisor is a constant, so that the compiler replaces the division by a
// multiplication.
template <typename Stored, int64_t kDivisor>
class ToCoarserUnit final : public Conversion {
 public:
  ToCoarserUnit() : Conversion(sizeof(Stored), sizeof(int64_t)) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t time =
          FloorDiv(Load<Stored>(values + i * sizeof(Stored)), kDivisor);
      std::memcpy(elements + i * sizeof(time), &time, sizeof(time));
    }
    return count;
  }

  // A coarser unit can hold every time, so none is refused.
  std::string Refusal(const uint8_t*) const override { return {}; }
};

template <typename Stored>
std::shared_ptr<const Conversion> BetweenUnits(Unit from, Unit to) {
  if (to.per_second > from.per_second) {
    return std::make_shared<ToFinerUnit<Stored>>(from, to);
  }
  switch (from.per_second / to.per_second) {
    case 1'000:
      return std::make_shared<ToCoarserUnit<Stored, 1'000>>();
    case 1'000'000:
      return std::make_shared<ToCoarserUnit<Stored, 1'000'000>>();
    default:
      return std::make_shared<ToCoarserUnit<Stored, kNanosPerSecond>>();
  }
}

}  // namespace

Result<std::shared_ptr<const Conversion>> MakeTimeConversion(
    const Column& source, const ColumnStorage& storage, const std::string& unit) {
  const std::optional<Unit> from = FindUnit(source.unit);
  const std::optional<Unit> to = FindUnit(unit);
  if (!to) {
    return Status::Invalid("unit must be \"s\", \"ms\", \"us\" or \"ns\", not \"", unit,
                           "\"");
  }
  const bool is_integer =
      source.dtype == DType::kInt32 || source.dtype == DType::kInt64;
  if (!from || !is_integer) {
    return Status::Invalid("unit is for timestamps, times of day and durations, not ",
                           source.logical_type);
  }
  if (storage.physical == ColumnStorage::kInt96) {
    return std::shared_ptr<const Conversion>(std::make_shared<Int96ToUnit>(*to));
  }
  return source.dtype == DType::kInt32 ? BetweenUnits<int32_t>(*from, *to)
                                       : BetweenUnits<int64_t>(*from, *to);
}

}  // namespace rowfeed
