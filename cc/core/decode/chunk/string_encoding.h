// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_DECODE_CHUNK_STRING_ENCODING_H_
#define ROWFEED_CORE_DECODE_CHUNK_STRING_ENCODING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/export.h"
#include "core/status.h"

namespace rowfeed {

// A list of strings, each of which is encoded as first() and its position in the list.
// Immutable: the hash table is built once, and all who copy the pointer share it.
class ROWFEED_EXPORT Vocabulary {
 public:
  static constexpr size_t kMaxSize = size_t{1} << 24;
  static constexpr size_t kMaxBytes = size_t{1} << 28;
  static constexpr int64_t kMaxFirst = std::numeric_limits<int64_t>::max() - kMaxSize;

  // `unknown` is the integer for strings that are not in the list; nullopt: such a
  // string is an error. `first` is the integer of the first string, from 0 to
  // kMaxFirst. Returns kInvalid if a string occurs twice, or if there are no strings or
  // too many.
  static Result<std::shared_ptr<const Vocabulary>> Make(
      const std::vector<std::string>& strings, std::optional<int64_t> unknown,
      int64_t first = 0);

  int64_t size() const { return static_cast<int64_t>(ends_.size()); }
  std::string_view operator[](int64_t index) const {
    const uint32_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }
  const std::optional<int64_t>& unknown() const { return unknown_; }
  int64_t first() const { return first_; }

  // Returns the position of a string, or -1 if it is not in the list.
  int64_t Find(std::string_view string) const;

 private:
  Vocabulary(std::optional<int64_t> unknown, int64_t first);

  // Returns the place in table_ where the string is, or where it could be put.
  size_t FindPlace(std::string_view string) const;

  const std::optional<int64_t> unknown_;
  const int64_t first_;
  // The key of the hash function: random, so that no file can be made whose strings all
  // fall on one place of the table.
  std::array<uint32_t, 48> secret_;
  std::string bytes_;           // all strings, end to end
  std::vector<uint32_t> ends_;  // where each string ends in bytes_
  // Hash table of positions in the list; kEmpty marks a free place. Its size is a power
  // of two.
  std::vector<int32_t> table_;
  static constexpr int32_t kEmpty = -1;
};

// How strings become integers. At most one of the two members is set.
struct StringEncoding {
  std::shared_ptr<const Vocabulary> vocabulary;
  int64_t num_buckets = 0;  // number of buckets that strings are hashed to

  bool is_set() const { return vocabulary != nullptr || num_buckets != 0; }
};

// Returns XXH64 of the bytes with seed 0, modulo num_buckets. This formula is promised
// to users, who compute it elsewhere too.
ROWFEED_EXPORT int64_t HashBucket(std::string_view string, int64_t num_buckets);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_DECODE_CHUNK_STRING_ENCODING_H_
