// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/string_encoding_codec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rowfeed {

void WriteEncoding(const StringEncoding& encoding, WireWriter* writer) {
  writer->Int(encoding.num_buckets);
  const Vocabulary* vocabulary = encoding.vocabulary.get();
  const int64_t size = vocabulary == nullptr ? 0 : vocabulary->size();
  writer->Count(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) writer->String((*vocabulary)[i]);
  const std::optional<int64_t> unknown =
      vocabulary == nullptr ? std::nullopt : vocabulary->unknown();
  writer->Bool(unknown.has_value());
  writer->Int(unknown.value_or(0));
  writer->Int(vocabulary == nullptr ? 0 : vocabulary->first());
}

bool ReadEncoding(WireReader* reader, StringEncoding* encoding) {
  encoding->num_buckets = reader->Int<int64_t>();
  const size_t size = reader->Count(/*min_bytes=*/sizeof(uint64_t));
  if (size > Vocabulary::kMaxSize) return false;
  std::vector<std::string> strings(size);
  for (std::string& string : strings) string = reader->String();
  const bool has_unknown = reader->Bool();
  const auto index = reader->Int<int64_t>();
  const auto first = reader->IntIn<int64_t>(0, Vocabulary::kMaxFirst);
  if (!reader->ok() || encoding->num_buckets < 0) return false;
  if (size == 0) return !has_unknown && first == 0;
  const std::optional<int64_t> unknown =
      has_unknown ? std::optional(index) : std::nullopt;
  auto vocabulary = Vocabulary::Make(strings, unknown, first);
  if (!vocabulary.ok() || encoding->num_buckets > 0) return false;
  encoding->vocabulary = *std::move(vocabulary);
  return true;
}

}  // namespace rowfeed
