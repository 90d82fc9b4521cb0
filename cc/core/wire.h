// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_WIRE_H_
#define ROWFEED_CORE_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/enum_table.h"

namespace rowfeed {

// Writes values as bytes that other processes and later runs read: integers in
// little-endian order, enumerators as the integers that they are, strings after their
// length.
class WireWriter {
 public:
  template <typename T>
  void Int(T value) {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>);
    const uint64_t bits = static_cast<std::make_unsigned_t<T>>(value);
    char bytes[sizeof(T)];
    for (size_t i = 0; i < sizeof(T); ++i) {
      bytes[i] = static_cast<char>(bits >> (8 * i));
    }
    bytes_.append(bytes, sizeof(T));
  }
  template <typename T>
  void Enum(T value) {
    Int(static_cast<std::underlying_type_t<T>>(value));
  }
  void Bool(bool value) { Int(static_cast<uint8_t>(value)); }
  // Writes how many things follow.
  void Count(size_t count) { Int(static_cast<uint64_t>(count)); }
  void String(std::string_view value) {
    Count(value.size());
    bytes_.append(value);
  }
  std::string Finish() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a WireWriter wrote. The bytes may be of any origin: the reader neither
// reads nor allocates beyond them. After the first value that is missing or refused,
// ok() is false and every further value is zero or empty, so that a caller need only
// ask at the end.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T Int() {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>);
    const std::string_view taken = Take(sizeof(T));
    if (!ok_) return {};
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(T); ++i) {
      bits |= uint64_t{static_cast<uint8_t>(taken[i])} << (8 * i);
    }
    return static_cast<T>(bits);
  }
  // Reads an integer, and refuses one outside of [low, high].
  template <typename T>
  T IntIn(int64_t low, int64_t high) {
    const T value = Int<T>();
    bool fits = true;  // in int64_t
    if constexpr (std::is_same_v<T, uint64_t>) {
      fits = value <= uint64_t{std::numeric_limits<int64_t>::max()};
    }
    const auto wide = static_cast<int64_t>(value);
    if (!fits || wide < low || wide > high) ok_ = false;
    return ok_ ? value : T{};
  }
  // Reads an enumerator, and refuses one greater than `last`. For enumerations without
  // a table of names.
  template <typename T>
  T Enum(T last) {
    using Integer = std::underlying_type_t<T>;
    return static_cast<T>(
        IntIn<Integer>(0, static_cast<int64_t>(static_cast<Integer>(last))));
  }
  // Reads an enumerator, and refuses an integer that is none.
  template <typename T>
  T Enum() {
    return Enum(LastEnumerator<T>());
  }
  // Reads 0 or 1, and refuses other values.
  bool Bool() { return IntIn<uint8_t>(0, 1) != 0; }
  // Reads how many things follow, and refuses a count for which the rest of the bytes
  // is too short if each takes at least `min_bytes`: memory may be reserved for that
  // many.
  size_t Count(size_t min_bytes) {
    const auto count = Int<uint64_t>();
    if (count > rest_.size() / min_bytes) ok_ = false;
    return ok_ ? static_cast<size_t>(count) : 0;
  }
  std::string String() { return std::string(Take(Count(1))); }

  // Makes ok() false where the caller finds something wrong.
  void Fail() { ok_ = false; }
  bool ok() const { return ok_; }
  // Whether everything was read and nothing was missing.
  bool AtEnd() const { return ok_ && rest_.empty(); }

 private:
  std::string_view Take(size_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_WIRE_H_
