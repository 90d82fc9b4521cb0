// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "core/catalog/schema/dtypes.h"
#include "core/enum_table.h"
#include "core/fields.h"
#include "core/stream/options/mixture_options.h"
#include "core/stream/options/options.h"
#include "gtest/gtest.h"

namespace rowfeed {
namespace {

template <typename T>
void ForEachChange(T* value, const std::function<void()>& check);

template <typename T>
  requires std::is_integral_v<T>
void Change(T* value, const std::function<void()>& check) {
  *value = !std::is_same_v<T, bool> ? static_cast<T>(*value - 1) : !*value;
  check();
}

void Change(std::string* value, const std::function<void()>& check) {
  value->push_back('\0');
  check();
}

template <typename T>
void Change(std::optional<T>* value, const std::function<void()>& check) {
  *value = value->has_value() ? std::nullopt : std::optional<T>(T());
  check();
  *value = T();
  ForEachChange(&**value, check);
}

template <typename T>
void Change(std::vector<T>* value, const std::function<void()>& check) {
  value->emplace_back();
  check();
  ForEachChange(&value->back(), check);
}

void Change(PartitionTypes* value, const std::function<void()>& check) {
  ForEachChange(&(*value)["key"], check);
}

void Change(StringEncoding* value, const std::function<void()>& check) {
  value->num_buckets = 3;
  check();
  *value = {*Vocabulary::Make({"x"}, 5, 3), 0};
  check();
}

void Change(std::shared_ptr<const MixtureOptions>* value,
            const std::function<void()>& check) {
  auto mixture = std::make_shared<MixtureOptions>();
  mixture->sources.resize(1);
  *value = mixture;
  check();
  ForEachChange(&mixture->stop, check);
  ForEachChange(&mixture->weights, check);
  mixture->sources[0].order.seed = 1;
  check();
}

// Changes each part of `value` in turn, calls check() and undoes the change.
template <typename T>
void ForEachChange(T* value, const std::function<void()>& check) {
  const T before = *value;
  if constexpr (kHasFields<T>) {
    VisitFields(*value, [&](const auto& field, auto& part) {
      const testing::ScopedTrace trace(__FILE__, __LINE__, field.name);
      ForEachChange(&part, check);
    });
  } else if constexpr (kHasEnumTable<T>) {
    for (size_t i = 0; i < NumEnumerators<T>(); ++i) {
      if (before == static_cast<T>(i)) continue;
      *value = static_cast<T>(i);
      check();
    }
  } else {
    Change(value, check);
  }
  *value = before;
}

TEST(OptionsCodecTest, EveryFieldIsInTheBytes) {
  StreamOptions options;
  std::set<std::string> seen = {options.Serialize()};
  ForEachChange(&options, [&] {
    const std::string bytes = options.Serialize();
    EXPECT_TRUE(seen.insert(bytes).second) << "a change changes no bytes";
    const Result<StreamOptions> parsed = StreamOptions::Parse(bytes);
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed->Serialize(), bytes);
    EXPECT_FALSE(StreamOptions::Parse(bytes + "x").ok());
    EXPECT_FALSE(StreamOptions::Parse(bytes.substr(0, bytes.size() - 1)).ok());
  });
  EXPECT_GT(seen.size(), 60U);
}

// Whether the greatest enumerator is read, and the number after it is refused. `set`
// puts an enumerator of T into options.
template <typename T, typename Set>
bool IsUnknownRefused(Set set) {
  const auto is_read = [&](T value) {
    StreamOptions options;
    options.columns.resize(1);
    set(&options, value);
    return StreamOptions::Parse(options.Serialize()).ok();
  };
  return is_read(LastEnumerator<T>()) && !is_read(static_cast<T>(NumEnumerators<T>()));
}

TEST(OptionsCodecTest, UnknownEnumeratorsAreRefused) {
  EXPECT_TRUE(IsUnknownRefused<Remainder>(
      [](auto* options, auto value) { options->delivery.remainder = value; }));
  EXPECT_TRUE(IsUnknownRefused<Mask>(
      [](auto* options, auto value) { options->columns[0].mask = value; }));
  EXPECT_TRUE(IsUnknownRefused<DType>(
      [](auto* options, auto value) { options->columns[0].dtype = value; }));
  EXPECT_TRUE(IsUnknownRefused<Provenance>(
      [](auto* options, auto value) { options->columns[0].provenance = value; }));
  EXPECT_TRUE(IsUnknownRefused<Padding::Truncate>([](auto* options, auto value) {
    options->columns[0].padding.emplace().truncate = value;
  }));
  EXPECT_TRUE(IsUnknownRefused<PartitionRule::From>(
      [](auto* options, auto value) { options->growth.emplace().rule.from = value; }));
  EXPECT_TRUE(IsUnknownRefused<DType>([](auto* options, auto value) {
    options->partition_types["key"] = {value, true};
  }));
  EXPECT_TRUE(IsUnknownRefused<StopRule>([](auto* options, auto value) {
    auto mixture = std::make_shared<MixtureOptions>();
    mixture->sources.resize(1);
    mixture->stop = value;
    options->mixture = mixture;
  }));
}

TEST(OptionsCodecTest, BytesOfAnotherLayoutAreRefused) {
  const std::string bytes = StreamOptions().Serialize();
  for (const char* magic : {"ROF8", "ROF9"}) {  // earlier releases wrote these
    EXPECT_FALSE(StreamOptions::Parse(magic + bytes.substr(4)).ok());
  }
}

}  // namespace
}  // namespace rowfeed
