// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_ENUM_TABLE_H_
#define ROWFEED_CORE_ENUM_TABLE_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/status.h"

namespace rowfeed {

// The table of an enumeration whose enumerators count from 0. The header that declares
// the enumeration specializes EnumTable for it with two constants: `kWhat` is what
// errors call the enumeration, and `kNames` are the names of the enumerators in their
// order.
//
//   enum class Mask : uint8_t { kNone, kElements, kRows };
//   template <>
//   struct EnumTable<Mask> {
//     static constexpr auto kWhat = "mask";
//     static constexpr std::array kNames = {"none", "elements", "rows"};
//   };
//
// Parsing, printing, the values that a codec accepts and the type in Python follow from
// this table.
template <typename T>
struct EnumTable;

namespace internal {

// Whether `value` is an enumerator of T. GCC and Clang print the name of an enumerator,
// and any other value as a cast: "(Mask)3".
template <typename T, T value>
constexpr bool IsEnumerator() {
  constexpr std::string_view kFunction = __PRETTY_FUNCTION__;
  constexpr std::string_view kKey = "value = ";
  return kFunction[kFunction.find(kKey) + kKey.size()] != '(';
}

}  // namespace internal

// Returns the number of enumerators of T. A table with too few or too many names does
// not compile.
template <typename T>
constexpr size_t NumEnumerators() {
  constexpr size_t kNum = EnumTable<T>::kNames.size();
  static_assert(internal::IsEnumerator<T, static_cast<T>(kNum - 1)>(),
                "EnumTable has more names than there are enumerators");
  static_assert(!internal::IsEnumerator<T, static_cast<T>(kNum)>(),
                "EnumTable has fewer names than there are enumerators");
  return kNum;
}

// Returns the greatest enumerator of T.
template <typename T>
constexpr T LastEnumerator() {
  return static_cast<T>(NumEnumerators<T>() - 1);
}

// Returns the name of an enumerator, or nullptr if the value is none.
template <typename T>
constexpr const char* NameOf(T value) {
  const auto index = static_cast<size_t>(value);
  return index < NumEnumerators<T>() ? EnumTable<T>::kNames[index] : nullptr;
}

// Returns the enumerator of this name, or nullopt if there is none.
template <typename T>
constexpr std::optional<T> EnumeratorNamed(std::string_view name) {
  for (size_t i = 0; i < NumEnumerators<T>(); ++i) {
    if (name == EnumTable<T>::kNames[i]) return static_cast<T>(i);
  }
  return std::nullopt;
}

// Returns the enumerator of this name, or an error (kInvalid) if there is none.
template <typename T>
Result<T> ParseEnumerator(std::string_view name) {
  const std::optional<T> found = EnumeratorNamed<T>(name);
  if (found) return *found;
  return Status::Invalid("no such ", EnumTable<T>::kWhat, ": ", name);
}

// Whether T is an enumeration with a table.
template <typename T, typename = void>
inline constexpr bool kHasEnumTable = false;
template <typename T>
inline constexpr bool kHasEnumTable<T, std::void_t<decltype(EnumTable<T>::kNames)>> =
    true;

}  // namespace rowfeed

#endif  // ROWFEED_CORE_ENUM_TABLE_H_
