// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/chunk/string_encoding.h"

#include <random>

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"

namespace rowfeed {

Vocabulary::Vocabulary(std::optional<int64_t> unknown, int64_t first)
    : unknown_(unknown), first_(first) {
  static_assert(sizeof(secret_) >= XXH3_SECRET_SIZE_MIN);
  std::random_device random;
  for (uint32_t& bits : secret_) bits = random();
}

Result<std::shared_ptr<const Vocabulary>> Vocabulary::Make(
    const std::vector<std::string>& strings, std::optional<int64_t> unknown,
    int64_t first) {
  size_t num_bytes = 0;
  for (const std::string& string : strings) num_bytes += string.size();
  if (strings.empty() || strings.size() > kMaxSize || num_bytes > kMaxBytes) {
    return Status::Invalid("a vocabulary has 1 to ", kMaxSize, " strings of at most ",
                           kMaxBytes, " bytes in all, not ", strings.size(), " of ",
                           num_bytes);
  }
  if (first < 0 || first > kMaxFirst) {
    return Status::Invalid("the first index of a vocabulary is 0 to ", kMaxFirst,
                           ", not ", first);
  }
  std::shared_ptr<Vocabulary> made(new Vocabulary(unknown, first));
  size_t table_size = 4;
  while (table_size < 2 * strings.size()) table_size *= 2;
  made->table_.resize(table_size, kEmpty);
  made->bytes_.reserve(num_bytes);
  made->ends_.reserve(strings.size());
  for (const std::string& string : strings) {
    int32_t& place = made->table_[made->FindPlace(string)];
    if (place != kEmpty) {
      return Status::Invalid("a vocabulary has the same string at positions ", place,
                             " and ", made->size(), "; give each string once");
    }
    place = static_cast<int32_t>(made->size());
    made->bytes_ += string;
    made->ends_.push_back(static_cast<uint32_t>(made->bytes_.size()));
  }
  return std::shared_ptr<const Vocabulary>(std::move(made));
}

size_t Vocabulary::FindPlace(std::string_view string) const {
  const size_t mask = table_.size() - 1;
  size_t place = XXH3_64bits_withSecret(string.data(), string.size(), secret_.data(),
                                        sizeof(secret_)) &
                 mask;
  while (table_[place] != kEmpty && (*this)[table_[place]] != string) {
    place = (place + 1) & mask;
  }
  return place;
}

int64_t Vocabulary::Find(std::string_view string) const {
  return table_[FindPlace(string)];
}

int64_t HashBucket(std::string_view string, int64_t num_buckets) {
  const uint64_t hash = XXH64(string.data(), string.size(), /*seed=*/0);
  return static_cast<int64_t>(hash % static_cast<uint64_t>(num_buckets));
}

}  // namespace rowfeed
