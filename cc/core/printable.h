// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_PRINTABLE_H_
#define ROWFEED_CORE_PRINTABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace rowfeed {

// One character of a text, or one byte that is not UTF-8.
struct Character {
  size_t size = 1;    // number of bytes
  uint32_t code = 0;  // code point of the character, or value of the byte
  bool is_utf8 = true;
};

// Returns the first character of `text`, which must not be empty.
inline Character FirstCharacter(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint32_t first = byte(0);
  if (first < 0x80) return {1, first};
  const size_t size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const Character invalid{1, first, false};
  if (size == 0 || first > 0xf4 || text.size() < size) return invalid;
  uint32_t code = first & (0xffu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return invalid;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool is_too_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (is_too_long || is_surrogate || code > 0x10ffff) return invalid;
  return {size, code};
}

// Whether a terminal would obey the character and not show it. True for control
// characters, line and paragraph separators, and characters that change the direction
// of text.
inline bool IsControl(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

// Returns the escape sequence that Python writes for a character or a byte.
inline std::string Escaped(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  char out[8];
  if (code < 0x100) {
    std::snprintf(out, sizeof(out), "\\x%02x", code);
  } else {
    std::snprintf(out, sizeof(out), "\\u%04x", code & 0xffffu);
  }
  return out;
}

// Returns `text` on one line of valid UTF-8: control characters and bytes that are not
// UTF-8 become escape sequences. For names that come from files, which may hold any
// bytes.
inline std::string Printable(std::string text) {
  std::string out;
  // Number of bytes of `text` copied to `out`, which stays empty while nothing is
  // escaped.
  size_t copied = 0;
  for (size_t i = 0; i < text.size();) {
    const Character next = FirstCharacter(std::string_view(text).substr(i));
    if (next.is_utf8 && !IsControl(next.code)) {
      i += next.size;
      continue;
    }
    out.append(text, copied, i - copied);
    out += Escaped(next.code);
    copied = i += next.size;
  }
  if (copied == 0) return text;
  return out.append(text, copied);
}

}  // namespace rowfeed

#endif  // ROWFEED_CORE_PRINTABLE_H_
