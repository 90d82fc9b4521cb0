// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_WIRE_H_
#define ROWFEED_CORE_WIRE_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rowfeed {

// Values that cross process borders as bytes: integers as they lie in the memory of a
// little-endian machine (all that Arrow's wheels are built for), strings after their
// length.
class WireWriter {
 public:
  template <typename T>
  void Integer(T value) {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void String(std::string_view value) {
    Integer(static_cast<uint64_t>(value.size()));
    bytes_.append(value);
  }
  std::string Finish() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a WireWriter wrote, from bytes of unknown origin: nothing is read or
// allocated beyond them. After the first failure every value is empty and ok() is
// false.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T Integer() {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>);
    T value{};
    const std::string_view bytes = Take(sizeof value);
    if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string String() { return std::string(Take(Integer<uint64_t>())); }

  // How many elements follow, each of at least `min_bytes`: a count that the rest of
  // the bytes cannot hold is a failure.
  size_t Count(size_t min_bytes) {
    const auto count = Integer<uint64_t>();
    if (ok_ && count > rest_.size() / min_bytes) ok_ = false;
    return ok_ ? count : 0;
  }

  bool ok() const { return ok_; }
  // Everything was read, nothing was missing.
  bool AtEnd() const { return ok_ && rest_.empty(); }

 private:
  std::string_view Take(uint64_t size) {
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
