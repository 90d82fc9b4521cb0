// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_CATALOG_BYTE_STREAM_H_
#define ROWFEED_CORE_CATALOG_BYTE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rowfeed {

// Little-endian integers and length-prefixed strings, appended to a string.
class ByteWriter {
 public:
  template <typename T>
  void Int(T value) {
    auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (size_t i = 0; i < sizeof(T); ++i) {
      out_.push_back(static_cast<char>(static_cast<uint64_t>(bits) >> (8 * i)));
    }
  }
  void String(std::string_view value) {
    Int<uint64_t>(value.size());
    out_.append(value);
  }
  std::string Take() && { return std::move(out_); }

 private:
  std::string out_;
};

// Reads what ByteWriter wrote. After the first value that is not there, ok() is false
// and every further one is zero or empty, so that a caller may ask at the end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Int() {
    std::make_unsigned_t<T> bits = 0;
    const std::string_view taken = Take(sizeof(T));
    for (size_t i = 0; i < taken.size(); ++i) {
      const uint64_t byte = static_cast<uint8_t>(taken[i]);
      bits = static_cast<std::make_unsigned_t<T>>(bits | byte << (8 * i));
    }
    return static_cast<T>(bits);
  }
  // Also false if the integer is outside of [low, high].
  template <typename T>
  T IntIn(int64_t low, int64_t high) {
    const auto value = Int<T>();
    if (!std::in_range<int64_t>(value) || static_cast<int64_t>(value) < low ||
        static_cast<int64_t>(value) > high) {
      ok_ = false;
    }
    return ok_ ? value : T{};
  }
  // A number of things of at least `min_bytes` each: no more than the bytes left can
  // hold, so that memory may be reserved for them.
  size_t Count(size_t min_bytes) {
    return static_cast<size_t>(
        IntIn<uint64_t>(0, static_cast<int64_t>(bytes_.size() / min_bytes)));
  }
  std::string String() { return std::string(Take(Count(1))); }

  // For what the caller finds wrong.
  void Fail() { ok_ = false; }
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && bytes_.empty(); }

 private:
  std::string_view Take(size_t size) {
    if (!ok_ || size > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace rowfeed

#endif  // ROWFEED_CORE_CATALOG_BYTE_STREAM_H_
