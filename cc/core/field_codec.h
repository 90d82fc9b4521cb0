// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FIELD_CODEC_H_
#define ROWFEED_CORE_FIELD_CODEC_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/enum_table.h"
#include "core/fields.h"
#include "core/wire.h"

namespace rowfeed {

// How a value of type T becomes bytes, and is read from them. A struct with a list of
// fields is written as these fields, one after the other. A type that is neither such a
// struct nor one of the types below needs a specialization. kMinBytes is the size of
// the shortest value, so that Read believes no count that the rest of the bytes cannot
// hold. Read refuses unknown enumerators, but does not check ranges: CheckFields does.
template <typename T, typename = void>
struct Codec {
  static_assert(kHasFields<T>, "a type that has neither fields nor a codec");

  static constexpr size_t kMinBytes = std::apply(
      [](const auto&... fields) {
        return (size_t{0} + ... +
                Codec<typename std::decay_t<decltype(fields)>::Type>::kMinBytes);
      },
      T::Fields());

  static void Write(const T& object, WireWriter* out) {
    VisitFields(object, [&](const auto& /*field*/, const auto& value) {
      Codec<std::decay_t<decltype(value)>>::Write(value, out);
    });
  }
  static T Read(WireReader* in) {
    T object;
    VisitFields(object, [&](const auto& /*field*/, auto& value) {
      value = Codec<std::decay_t<decltype(value)>>::Read(in);
    });
    return object;
  }
};

template <>
struct Codec<bool> {
  static constexpr size_t kMinBytes = 1;
  static void Write(bool value, WireWriter* out) { out->Bool(value); }
  static bool Read(WireReader* in) { return in->Bool(); }
};

template <typename T>
struct Codec<T, std::enable_if_t<std::is_integral_v<T>>> {
  static constexpr size_t kMinBytes = sizeof(T);
  static void Write(T value, WireWriter* out) { out->Int(value); }
  static T Read(WireReader* in) { return in->Int<T>(); }
};

template <typename T>
struct Codec<T, std::enable_if_t<std::is_enum_v<T>>> {
  static constexpr size_t kMinBytes = sizeof(T);
  static void Write(T value, WireWriter* out) { out->Enum(value); }
  static T Read(WireReader* in) { return in->Enum<T>(); }
};

template <>
struct Codec<std::string> {
  static constexpr size_t kMinBytes = sizeof(uint64_t);
  static void Write(const std::string& value, WireWriter* out) { out->String(value); }
  static std::string Read(WireReader* in) { return in->String(); }
};

template <typename T>
struct Codec<std::optional<T>> {
  static constexpr size_t kMinBytes = 1;
  static void Write(const std::optional<T>& value, WireWriter* out) {
    out->Bool(value.has_value());
    if (value) Codec<T>::Write(*value, out);
  }
  static std::optional<T> Read(WireReader* in) {
    if (!in->Bool()) return std::nullopt;
    return Codec<T>::Read(in);
  }
};

template <typename T>
struct Codec<std::vector<T>> {
  static constexpr size_t kMinBytes = sizeof(uint64_t);
  static void Write(const std::vector<T>& values, WireWriter* out) {
    out->Count(values.size());
    for (const T& value : values) Codec<T>::Write(value, out);
  }
  static std::vector<T> Read(WireReader* in) {
    std::vector<T> values(in->Count(Codec<T>::kMinBytes));
    for (T& value : values) value = Codec<T>::Read(in);
    return values;
  }
};

// The keys ascend in the bytes, as they do in the map.
template <typename T>
struct Codec<std::map<std::string, T>> {
  static constexpr size_t kMinBytes = sizeof(uint64_t);
  static void Write(const std::map<std::string, T>& values, WireWriter* out) {
    out->Count(values.size());
    for (const auto& [key, value] : values) {
      out->String(key);
      Codec<T>::Write(value, out);
    }
  }
  static std::map<std::string, T> Read(WireReader* in) {
    std::map<std::string, T> values;
    const size_t count = in->Count(Codec<std::string>::kMinBytes + Codec<T>::kMinBytes);
    for (size_t i = 0; i < count; ++i) {
      std::string key = in->String();
      if (!values.empty() && key <= values.rbegin()->first) in->Fail();
      values.emplace_hint(values.end(), std::move(key), Codec<T>::Read(in));
    }
    return values;
  }
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_FIELD_CODEC_H_
