// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/string_conversion.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/decode/values/number_types.h"
#include "parquet/types.h"

namespace rowfeed {
namespace {

std::string_view Load(const uint8_t* value) {
  parquet::ByteArray view;
  std::memcpy(&view, value, sizeof(view));
  return {reinterpret_cast<const char*>(view.ptr), view.len};
}

// Writes bytes as a Python literal, so that an error message is text whatever a file
// holds.
std::string Quoted(std::string_view bytes) {
  constexpr size_t kMaxShown = 60;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string quoted = "b'";
  for (const char byte : bytes.substr(0, kMaxShown)) {
    const auto code = static_cast<uint8_t>(byte);
    if (code >= 0x20 && code < 0x7f && byte != '\\' && byte != '\'') {
      quoted += byte;
    } else {
      quoted += "\\x";
      quoted += kDigits[code >> 4];
      quoted += kDigits[code & 15];
    }
  }
  quoted += bytes.size() > kMaxShown ? "'..." : "'";
  return quoted;
}

template <typename Integer>
class VocabularyLookup final : public Conversion {
 public:
  explicit VocabularyLookup(std::shared_ptr<const Vocabulary> vocabulary)
      : Conversion(sizeof(parquet::ByteArray), sizeof(Integer)),
        vocabulary_(std::move(vocabulary)) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    const std::optional<int64_t>& unknown = vocabulary_->unknown();
    const int64_t first = vocabulary_->first();
    for (int64_t i = 0; i < count; ++i) {
      int64_t index = vocabulary_->Find(Load(values + i * value_bytes()));
      if (index >= 0) {
        index += first;
      } else if (unknown) {
        index = *unknown;
      } else {
        return i;
      }
      const auto element = static_cast<Integer>(index);
      std::memcpy(elements + i * sizeof(element), &element, sizeof(element));
    }
    return count;
  }

  std::string Refusal(const uint8_t* value) const override {
    return Quoted(Load(value)) + " is not among the " +
           std::to_string(vocabulary_->size()) +
           " values of the vocabulary, which has no index for unknown ones";
  }

 private:
  const std::shared_ptr<const Vocabulary> vocabulary_;
};

template <typename Integer>
class Hashing final : public Conversion {
 public:
  explicit Hashing(int64_t num_buckets)
      : Conversion(sizeof(parquet::ByteArray), sizeof(Integer)),
        num_buckets_(num_buckets) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    for (int64_t i = 0; i < count; ++i) {
      const auto bucket = static_cast<Integer>(
          HashBucket(Load(values + i * value_bytes()), num_buckets_));
      std::memcpy(elements + i * sizeof(bucket), &bucket, sizeof(bucket));
    }
    return count;
  }

  // Every string has a bucket, so none is refused.
  std::string Refusal(const uint8_t*) const override { return {}; }

 private:
  const int64_t num_buckets_;
};

// Returns the least and the greatest integer that the encoding can give.
std::pair<int64_t, int64_t> RangeOf(const StringEncoding& encoding) {
  if (encoding.vocabulary == nullptr) return {0, encoding.num_buckets - 1};
  const int64_t first = encoding.vocabulary->first();
  const int64_t last = first + encoding.vocabulary->size() - 1;
  const int64_t unknown = encoding.vocabulary->unknown().value_or(first);
  return {std::min(first, unknown), std::max(last, unknown)};
}

template <typename Integer>
Result<std::shared_ptr<const Conversion>> MakeFor(const StringEncoding& encoding,
                                                  DType to) {
  using Made = std::shared_ptr<const Conversion>;
  const auto [least, greatest] = RangeOf(encoding);
  if (!std::in_range<Integer>(least) || !std::in_range<Integer>(greatest)) {
    return Status::Invalid("integers from ", least, " to ", greatest,
                           ", which strings are encoded as, do not fit in ",
                           DTypeName(to));
  }
  if (encoding.vocabulary != nullptr) {
    return Made(std::make_shared<VocabularyLookup<Integer>>(encoding.vocabulary));
  }
  return Made(std::make_shared<Hashing<Integer>>(encoding.num_buckets));
}

}  // namespace

Result<std::shared_ptr<const Conversion>> MakeStringConversion(
    const Column& source, const StringEncoding& encoding, DType to) {
  if (!source.is_bytes()) {
    return Status::Invalid("strings and binaries can be encoded, not ",
                           source.logical_type);
  }
  return WithNumberType(
      to, [&]<typename T>(T) -> Result<std::shared_ptr<const Conversion>> {
        if constexpr (std::is_integral_v<T>) {
          return MakeFor<T>(encoding, to);
        } else {
          return Status::Invalid("strings are encoded as integers, not ",
                                 DTypeName(to));
        }
      });
}

}  // namespace rowfeed
