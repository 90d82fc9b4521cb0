// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/expression/value_hash.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include "arrow/array.h"
#include "arrow/type.h"
#include "arrow/util/float16.h"
#include "arrow/visit_array_inline.h"

#define XXH_INLINE_ALL
#include "arrow/vendored/xxhash.h"

namespace rowfeed {
namespace {

// Hashes the values of one array. Arrow calls the Visit of its type.
class Hasher {
 public:
  Hasher(uint64_t seed, int64_t* out) : seed_(seed), out_(out) {}

  arrow::Status Visit(const arrow::BooleanArray& values) {
    return HashEach(values, [&](int64_t i) { return OfInteger(values.Value(i)); });
  }
  arrow::Status Visit(const arrow::HalfFloatArray& values) {
    return HashEach(values, [&](int64_t i) {
      return OfFloat(arrow::util::Float16::FromBits(values.Value(i)).ToDouble());
    });
  }
  template <typename T>
  arrow::Status Visit(const arrow::NumericArray<T>& values) {
    return HashEach(values, [&](int64_t i) {
      if constexpr (std::is_floating_point_v<typename T::c_type>) {
        return OfFloat(values.Value(i));
      } else {
        return OfInteger(values.Value(i));
      }
    });
  }
  arrow::Status Visit(const arrow::LargeBinaryArray& values) {
    return HashEach(values, [&](int64_t i) { return OfBytes(values.GetView(i)); });
  }
  arrow::Status Visit(const arrow::FixedSizeBinaryArray& values) {
    return HashEach(values, [&](int64_t i) { return OfBytes(values.GetView(i)); });
  }
  arrow::Status Visit(const arrow::Array& values) {
    return arrow::Status::TypeError("values of type ", values.type()->ToString(),
                                    " have no hash");
  }

 private:
  template <typename Function>
  arrow::Status HashEach(const arrow::Array& values, const Function& hash_of) {
    // A null has the hash of no bytes with another seed than that of all values.
    const uint64_t of_null = XXH3_64bits_withSeed("", 0, ~seed_);
    for (int64_t i = 0; i < values.length(); ++i) {
      const uint64_t hash = values.IsNull(i) ? of_null : hash_of(i);
      out_[i] = static_cast<int64_t>(hash >> 1);
    }
    return arrow::Status::OK();
  }

  template <typename T>
  uint64_t OfInteger(T value) const {
    // The sign is extended, so that a number has one hash in columns of all widths.
    const auto wide = static_cast<uint64_t>(+value);
    return XXH3_64bits_withSeed(&wide, sizeof wide, seed_);
  }
  uint64_t OfFloat(double value) const {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    if (value == 0) value = 0;  // -0.0 too
    return XXH3_64bits_withSeed(&value, sizeof value, seed_);
  }
  uint64_t OfBytes(std::string_view bytes) const {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed_);
  }

  uint64_t seed_;
  int64_t* out_;
};

}  // namespace

Status HashValues(const arrow::Array& values, uint64_t seed, int64_t* out) {
  Hasher hasher(seed, out);
  const arrow::Status status = arrow::VisitArrayInline(values, &hasher);
  if (status.ok()) return {};
  return Status::Unsupported("split: ", status.message());
}

}  // namespace rowfeed
