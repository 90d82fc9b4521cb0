// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/glob.h"

#include <cstddef>
#include <cstdint>

namespace rowfeed {
namespace {

// Removes one character from the front of `text`, which must not be empty, and returns
// it. A byte that is not UTF-8 becomes a number above all code points, so that it
// equals only the same byte.
uint32_t TakeCharacter(std::string_view* text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>((*text)[i]); };
  const uint8_t lead = byte(0);
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC0 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                                      : 4;
  uint32_t character = length <= 1 ? lead : lead & (0x7F >> length);
  bool valid = length > 0 && length <= text->size();
  for (size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0) == 0x80;
    character = character << 6 | (byte(i) & 0x3F);
  }
  text->remove_prefix(valid ? length : 1);
  return valid ? character : 0x200000u + lead;
}

// A set of characters at the front of a pattern, such as "[!abc]".
struct Set {
  std::string_view items;  // the text within the brackets, without '!'
  bool negated = false;
  size_t length = 0;  // length with both brackets; 0: there is no ']'
};

Set ParseSet(std::string_view pattern) {
  Set set;
  size_t begin = 1;
  if (begin < pattern.size() && pattern[begin] == '!') {
    set.negated = true;
    ++begin;
  }
  // A ']' directly at the start belongs to the set.
  const size_t end = begin < pattern.size() ? pattern.find(']', begin + 1) : begin;
  if (end >= pattern.size()) return {};
  set.items = pattern.substr(begin, end - begin);
  set.length = end + 1;
  return set;
}

bool Contains(const Set& set, uint32_t character) {
  std::string_view items = set.items;
  while (!items.empty()) {
    const uint32_t low = TakeCharacter(&items);
    uint32_t high = low;
    if (items.size() >= 2 && items[0] == '-') {
      items.remove_prefix(1);
      high = TakeCharacter(&items);
    }
    if (low <= character && character <= high) return !set.negated;
  }
  return set.negated;
}

// Matches one element of the pattern that is not '*' with one character of the name. If
// they match, steps over both.
bool MatchOne(std::string_view* pattern, std::string_view* name) {
  if (pattern->empty() || name->empty()) return false;
  std::string_view rest = *name;
  const uint32_t character = TakeCharacter(&rest);
  const Set set = pattern->front() == '[' ? ParseSet(*pattern) : Set{};
  if (set.length > 0) {
    if (!Contains(set, character)) return false;
    pattern->remove_prefix(set.length);
  } else if (pattern->front() == '?') {
    pattern->remove_prefix(1);
  } else if (TakeCharacter(pattern) != character) {
    return false;
  }
  *name = rest;
  return true;
}

}  // namespace

bool HasGlob(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool MatchGlob(std::string_view pattern, std::string_view name) {
  // Only the last star needs to be tried with more characters, so the time is at most
  // |pattern| · |name|.
  bool starred = false;
  std::string_view star_pattern;
  std::string_view star_name;
  while (!pattern.empty() || !name.empty()) {
    if (!pattern.empty() && pattern.front() == '*') {
      pattern.remove_prefix(1);
      starred = true;
      star_pattern = pattern;
      star_name = name;
      continue;
    }
    std::string_view next_pattern = pattern;
    if (MatchOne(&next_pattern, &name)) {
      pattern = next_pattern;
      continue;
    }
    if (!starred || star_name.empty()) return false;
    TakeCharacter(&star_name);
    name = star_name;
    pattern = star_pattern;
  }
  return true;
}

}  // namespace rowfeed
