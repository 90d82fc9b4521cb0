// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_FIELD_CODEC_H_
#define ROWFEED_CORE_FIELD_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/enum_table.h"
#include "core/fields.h"
#include "core/wire.h"

namespace rowfeed {

// A digest of how values of a type are written: FNV-1a over the words that describe it.
struct LayoutDigest {
  uint32_t value = 0x811c9dc5;

  constexpr LayoutDigest With(std::string_view word) const {
    uint32_t digest = value;
    for (const char c : word) {
      digest = (digest ^ static_cast<uint8_t>(c)) * 0x01000193;
    }
    return {(digest ^ 0xff) * 0x01000193};  // no word has this byte
  }
};

template <typename T, typename = void>
struct Codec;

// Adds the fields of a struct to a digest: their names, and how each is written.
template <typename T>
constexpr LayoutDigest LayoutOfFields(LayoutDigest digest) {
  digest = digest.With("{");
  std::apply(
      [&](const auto&... fields) {
        ((digest = Codec<typename std::decay_t<decltype(fields)>::Type>::Layout(
              digest.With(fields.name))),
         ...);
      },
      T::Fields());
  return digest.With("}");
}

// How a value of type T becomes bytes, and is read from them. A struct with a list of
// fields is written as these fields, one after the other. A type that is neither such a
// struct nor one of the types below needs a specialization. kMinBytes is the size of
// the shortest value, so that Read believes no count that the rest of the bytes cannot
// hold. Read refuses unknown enumerators, but does not check ranges: CheckFields does.
// Layout adds what the bytes are to a digest, so that bytes of another layout can be
// told by a number in front of them.
template <typename T, typename>
struct Codec {
  static_assert(kHasFields<T>, "a type that has neither fields nor a codec");

  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return LayoutOfFields<T>(digest);
  }
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
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return digest.With("bool");
  }
  static void Write(bool value, WireWriter* out) { out->Bool(value); }
  static bool Read(WireReader* in) { return in->Bool(); }
};

template <typename T>
struct Codec<T, std::enable_if_t<std::is_integral_v<T>>> {
  static constexpr size_t kMinBytes = sizeof(T);
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    constexpr char kBytes[] = {'0' + sizeof(T), '\0'};
    return digest.With(std::is_signed_v<T> ? "int" : "uint").With(kBytes);
  }
  static void Write(T value, WireWriter* out) { out->Int(value); }
  static T Read(WireReader* in) { return in->Int<T>(); }
};

template <typename T>
struct Codec<T, std::enable_if_t<std::is_enum_v<T>>> {
  static constexpr size_t kMinBytes = sizeof(T);
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    digest = Codec<std::underlying_type_t<T>>::Layout(digest.With("enum"));
    for (const char* name : EnumTable<T>::kNames) digest = digest.With(name);
    return digest.With("}");
  }
  static void Write(T value, WireWriter* out) { out->Enum(value); }
  static T Read(WireReader* in) { return in->Enum<T>(); }
};

template <>
struct Codec<std::string> {
  static constexpr size_t kMinBytes = sizeof(uint64_t);
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return digest.With("string");
  }
  static void Write(const std::string& value, WireWriter* out) { out->String(value); }
  static std::string Read(WireReader* in) { return in->String(); }
};

template <typename T>
struct Codec<std::optional<T>> {
  static constexpr size_t kMinBytes = 1;
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return Codec<T>::Layout(digest.With("optional"));
  }
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
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return Codec<T>::Layout(digest.With("vector"));
  }
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
  static constexpr LayoutDigest Layout(LayoutDigest digest) {
    return Codec<T>::Layout(digest.With("map"));
  }
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
