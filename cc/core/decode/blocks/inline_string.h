// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_INLINE_STRING_H_
#define ROWFEED_CORE_DECODE_BLOCKS_INLINE_STRING_H_

#include <cstdint>

#include "core/decode/blocks/copy_row.h"

namespace rowfeed {

// A string in 24 bytes. If it has at most kMaxSize bytes, they are stored inside: first
// one byte with four times its size, then its bytes, then zeros; the empty string is
// all zeros. This is the layout in which TensorFlow's tstring holds a short string, on
// little-endian machines. A longer string is stored as its size and a pointer to its
// bytes.
struct alignas(8) InlineString {
  static constexpr int64_t kMaxSize = 22;

  uint8_t bytes[24];

  static InlineString Make(const uint8_t* data, int64_t size) {
    InlineString string{};
    if (size > kMaxSize) {
      const uint64_t word = static_cast<uint64_t>(size) << 2 | kLong;
      std::memcpy(string.bytes, &word, sizeof(word));
      std::memcpy(string.bytes + sizeof(word), static_cast<const void*>(&data),
                  sizeof(void*));
    } else {
      string.bytes[0] = static_cast<uint8_t>(size << 2);
      CopyRow(string.bytes + 1, data, size);
    }
    return string;
  }

  bool is_short() const { return (bytes[0] & kLong) == 0; }

  int64_t size() const {
    if (is_short()) return bytes[0] >> 2;
    uint64_t word;
    std::memcpy(&word, bytes, sizeof(word));
    return static_cast<int64_t>(word >> 2);
  }

  // Pointer to the size() bytes of the string. The bytes of a short string lie within
  // this object.
  const uint8_t* data() const {
    if (is_short()) return bytes + 1;
    const uint8_t* place;
    std::memcpy(static_cast<void*>(&place), bytes + sizeof(uint64_t), sizeof(void*));
    return place;
  }

 private:
  static constexpr uint8_t kLong = 3;
};

static_assert(sizeof(InlineString) == 24);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_BLOCKS_INLINE_STRING_H_
