// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/batch/string_references.h"

#include <algorithm>
#include <cstring>

#include "core/batch/gather_rows.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace rowfeed {
namespace {

const InlineString& StringAt(const uint8_t* strips, int64_t i) {
  constexpr int64_t kSize = sizeof(void*);
  const InlineString* string;
  std::memcpy(static_cast<void*>(&string), strips + i * kSize, kSize);
  return *string;
}

// Copies a string to `out`. For a short one it copies a fixed number of bytes; the next
// string overwrites the surplus.
void Copy(const InlineString& string, int64_t size, uint8_t* out) {
  static_assert(InlineString::kMaxSize == 22);
  if (string.is_short()) {
    std::memcpy(out, string.bytes + 1, 16);
    std::memcpy(out + 14, string.bytes + 15, 8);
  } else {
    std::memcpy(out, string.data(), size);
  }
}

// Writes a string past the caches where the machine can do that, as GatherRows does.
void Stream(const InlineString& string, InlineString* out) {
#ifdef __x86_64__
  long long words[sizeof(string) / sizeof(long long)];
  std::memcpy(words, string.bytes, sizeof(words));
  auto* to = reinterpret_cast<long long*>(out->bytes);
  for (const long long word : words) _mm_stream_si64(to++, word);
#else
  *out = string;
#endif
}

}  // namespace

template <typename Function>
void StringReferences::ForEach(Function function) const {
  // These are copies: as far as the compiler knows, `function` could overwrite the
  // members.
  const auto [strips, num_lanes, strip_rows, num_rows] = *this;
  if (num_lanes == 1) {
    for (int64_t i = 0; i < num_rows; ++i) function(StringAt(strips, i));
    return;
  }
  for (int64_t slot = 0, i = 0; slot < num_rows; slot += num_lanes, ++i) {
    const int64_t size = std::min(num_lanes, num_rows - slot);
    for (int64_t lane = 0; lane < size; ++lane) {
      function(StringAt(strips, lane * strip_rows + i));
    }
  }
}

StringReferences::Size StringReferences::Measure() const {
  Size size;
  ForEach([&](const InlineString& string) {
    size.bytes += string.size();
    size.are_short &= string.is_short();
  });
  return size;
}

void StringReferences::CopyTo(InlineString* strings) const {
  ForEach([strings](const InlineString& string) mutable { Stream(string, strings++); });
  FenceRows();
}

void StringReferences::CopyTo(int64_t* offsets, uint8_t* values) const {
  *offsets++ = 0;
  ForEach([offsets, values, end = int64_t{0}](const InlineString& string) mutable {
    const int64_t size = string.size();
    Copy(string, size, values + end);
    end += size;
    *offsets++ = end;
  });
}

}  // namespace rowfeed
