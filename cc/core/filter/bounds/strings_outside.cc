// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/strings_outside.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "arrow/array.h"
#include "arrow/util/endian.h"

namespace rowfeed {
namespace {

// Returns the first eight bytes of a string as a number, padded with zeros. If one such
// number is less than another, so is the string.
uint64_t Beginning(std::string_view text) {
  uint64_t bytes = 0;
  if (text.size() >= sizeof bytes) {
    std::memcpy(&bytes, text.data(), sizeof bytes);
  } else if (!text.empty()) {
    std::memcpy(&bytes, text.data(), text.size());
  }
  return arrow::bit_util::FromBigEndian(bytes);
}

// The same for a string that is followed by other strings in memory, up to `limit`.
// Copying always eight bytes is one instruction; copying fewer is a function call.
uint64_t Beginning(std::string_view text, const char* limit) {
  uint64_t bytes = 0;
  constexpr int kBits = 8;
  if (limit - text.data() < static_cast<int64_t>(sizeof bytes) || text.empty()) {
    return Beginning(text);
  }
  std::memcpy(&bytes, text.data(), sizeof bytes);
  bytes = arrow::bit_util::FromBigEndian(bytes);
  if (text.size() >= sizeof bytes) return bytes;
  const size_t unused = kBits * (sizeof bytes - text.size());
  return bytes >> unused << unused;
}

}  // namespace

std::optional<int64_t> FirstStringOutside(const arrow::LargeBinaryArray& values,
                                          std::string_view min,
                                          std::optional<std::string_view> end) {
  const uint64_t low = Beginning(min);
  const uint64_t high = end ? Beginning(*end) : std::numeric_limits<uint64_t>::max();
  const auto& data = values.value_data();
  if (data == nullptr) return std::nullopt;  // all strings are null or empty
  const char* limit = reinterpret_cast<const char*>(data->data()) + data->size();
  for (int64_t i = 0; i < values.length(); ++i) {
    if (values.IsNull(i)) continue;
    const std::string_view value = values.GetView(i);
    const uint64_t beginning = Beginning(value, limit);
    if (beginning > low && beginning < high) continue;
    if (value < min || (end && value >= *end)) return i;
  }
  return std::nullopt;
}

}  // namespace rowfeed
