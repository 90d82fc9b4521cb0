// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/bounds/chunk_lie.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace rowfeed {
namespace {

using Key = BoundOrder::Key;

// Returns a raised bound without what writers leave behind the place that they raise:
// bytes of zeros, which were 0xFF, and code points that are not raised because the next
// one has more bytes, or because there is none.
std::string_view WithoutWhatIsLeft(std::string_view bound) {
  using std::string_view_literals::operator""sv;
  constexpr std::array kLeft = {"\0"sv, "\x7F"sv, "\xDF\xBF"sv, "\xEF\xBF\xBF"sv,
                                "\xF4\x8F\xBF\xBF"sv};
  for (;;) {
    const auto* const left = std::find_if(
        kLeft.begin(), kLeft.end(), [&](auto end) { return bound.ends_with(end); });
    if (left == kLeft.end()) return bound;
    bound.remove_suffix(left->size());
  }
}

// Returns a string that is not above any value whose beginning a writer may have cut
// and raised to `bound`. Writers raise the last byte or code point by one, or the last
// that can be raised (`BinaryTruncator` of parquet-java).
std::string BeforeItWasRaised(std::string_view raised) {
  constexpr unsigned kFirstNonAscii = 0x80;
  constexpr unsigned kContinuationMask = 0xC0;
  std::string bound(WithoutWhatIsLeft(raised));
  if (bound.empty()) return bound;
  if (static_cast<unsigned char>(bound.back()) < kFirstNonAscii) {
    --bound.back();
    return bound;
  }
  // The code point before this one may have other bytes, so all of it is left out.
  const auto is_continuation = [&] {
    return (static_cast<unsigned char>(bound.back()) & kContinuationMask) ==
           kFirstNonAscii;
  };
  while (bound.size() > 1 && is_continuation()) bound.pop_back();
  bound.pop_back();
  return bound;
}

// The index has one entry for each page in all of its lists, and no impossible count.
bool IsWhole(const parquet::ColumnIndex& index, int64_t num_values) {
  const size_t num_pages = index.null_pages().size();
  if (num_pages == 0 || index.encoded_min_values().size() != num_pages ||
      index.encoded_max_values().size() != num_pages) {
    return false;
  }
  if (!index.has_null_counts()) return true;
  if (index.null_counts().size() != num_pages) return false;
  int64_t num_nulls = 0;
  for (size_t page = 0; page < num_pages; ++page) {
    const int64_t count = index.null_counts()[page];
    if (count < 0 || count > num_values - num_nulls) return false;
    if (count == 0 && index.null_pages()[page]) return false;
    num_nulls += count;
  }
  return true;
}

std::optional<std::string> LieAboutNulls(const parquet::ColumnIndex& index,
                                         const Bounds& chunk) {
  if (!chunk.num_nulls) return std::nullopt;
  int64_t num_nulls = 0;
  int64_t num_null_pages = 0;
  for (size_t page = 0; page < index.null_pages().size(); ++page) {
    num_null_pages += index.null_pages()[page] ? 1 : 0;
    if (index.has_null_counts()) num_nulls += index.null_counts()[page];
  }
  const auto num_pages = static_cast<int64_t>(index.null_pages().size());
  const bool has_values = *chunk.num_nulls < chunk.num_values;
  const std::string stated =
      "the row group has " + std::to_string(*chunk.num_nulls) + " nulls, ";
  if (index.has_null_counts() && num_nulls != *chunk.num_nulls) {
    return stated + "and its pages have " + std::to_string(num_nulls);
  }
  if (num_null_pages > 0 && *chunk.num_nulls == 0) {
    return stated + "and a page has only nulls";
  }
  if (num_null_pages < num_pages && !has_values) {
    return stated + "which are all of its values, and a page has others";
  }
  if (num_null_pages == num_pages && has_values) {
    return stated + "and its pages have no values";
  }
  return std::nullopt;
}

// Whether values of a page with these bounds lie below or above the chunk's bounds,
// though each of the bounds may have been cut.
bool IsOutside(const BoundOrder& order, const Bounds& chunk, const std::string& min,
               const std::string& max) {
  const Key least = *order.KeyOf(*chunk.min);
  const Key greatest = *order.KeyOf(*chunk.max);
  if (!order.may_be_cut()) {
    return *order.KeyOf(min) < least || greatest < *order.KeyOf(max);
  }
  if (*order.KeyOf(min) < least && !chunk.min->starts_with(min)) return true;
  if (!(greatest < *order.KeyOf(max))) return false;
  const std::string reached = BeforeItWasRaised(max);
  const bool may_be_longer = !chunk.max_is_exact && reached.starts_with(*chunk.max);
  return greatest < *order.KeyOf(reached) && !may_be_longer;
}

}  // namespace

std::optional<std::string> LieOfChunk(const BoundOrder& order,
                                      const parquet::ColumnIndex& index,
                                      const Bounds& chunk) {
  if (!IsWhole(index, chunk.num_values)) return std::nullopt;
  bool is_outside = false;
  const auto num_pages = order.is_defined() ? index.null_pages().size() : 0;
  for (size_t page = 0; page < num_pages; ++page) {
    if (index.null_pages()[page]) continue;
    const std::string& min = index.encoded_min_values()[page];
    const std::string& max = index.encoded_max_values()[page];
    const std::optional<Key> least = order.KeyOf(min);
    const std::optional<Key> greatest = order.KeyOf(max);
    if (!least || !greatest) return std::nullopt;
    if (BoundOrder::IsNaN(*least) || BoundOrder::IsNaN(*greatest)) continue;
    if (*greatest < *least) return std::nullopt;
    is_outside = is_outside || (chunk.min && IsOutside(order, chunk, min, max));
  }
  if (is_outside) {
    return "the page index has values that are outside of the bounds of the row group";
  }
  return LieAboutNulls(index, chunk);
}

}  // namespace rowfeed
