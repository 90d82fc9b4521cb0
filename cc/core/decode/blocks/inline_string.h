// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_BLOCKS_INLINE_STRING_H_
#define ROWFEED_CORE_DECODE_BLOCKS_INLINE_STRING_H_

#include <cstdint>

#include "core/decode/blocks/copy_row.h"

namespace rowfeed {

// A string of at most kMaxSize bytes: four times its size, its bytes, zeros. All zeros
// are the empty one. It lies as a tstring of TensorFlow does that holds its bytes
// itself, on machines that are little-endian. Of a longer string, it is the size and
// where its bytes are.
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

  // As many bytes; of a short one they are its own.
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
