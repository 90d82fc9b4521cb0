// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/values/make_conversion.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "core/decode/values/decimal_conversion.h"
#include "core/decode/values/number_cast.h"
#include "core/decode/values/string_conversion.h"
#include "core/decode/values/time_conversion.h"

namespace rowfeed {
namespace {

using ConversionPtr = std::shared_ptr<const Conversion>;

// A conversion followed by a second one of its results, run by run.
class Chain final : public Conversion {
 public:
  Chain(ConversionPtr first, ConversionPtr second)
      : Conversion(first->value_bytes(), second->element_bytes()),
        first_(std::move(first)),
        second_(std::move(second)) {}

  int64_t Convert(const uint8_t* values, int64_t count,
                  uint8_t* elements) const override {
    Numbers between;
    for (int64_t begin = 0; begin < count; begin += kRun) {
      const int64_t size = std::min(kRun, count - begin);
      const int64_t made =
          first_->Convert(values + begin * value_bytes(), size, between.data());
      const int64_t converted =
          second_->Convert(between.data(), made, elements + begin * element_bytes());
      if (converted < size) return begin + converted;
    }
    return count;
  }

  std::string Refusal(const uint8_t* value) const override {
    Numbers between;
    return first_->Convert(value, 1, between.data()) == 1
               ? second_->Refusal(between.data())
               : first_->Refusal(value);
  }

 private:
  static constexpr int64_t kRun = 512;
  using Numbers = std::array<uint8_t, kRun * sizeof(int64_t)>;

  const ConversionPtr first_;
  const ConversionPtr second_;
};

}  // namespace

bool ArePaddedBytes(const Column& source, const Column& wanted) {
  const size_t num_lists = source.ragged_rank + source.list_sizes.size();
  return source.is_bytes() && wanted.dtype == DType::kUInt8 &&
         wanted.ragged_rank == 0 && wanted.list_sizes.size() == num_lists + 1;
}

Result<ConversionPtr> MakeConversion(const Column& source, const ColumnStorage& storage,
                                     const Column& wanted,
                                     const StringEncoding& encoding) {
  if (encoding.is_set()) return MakeStringConversion(source, encoding, wanted.dtype);
  if (ArePaddedBytes(source, wanted)) return ConversionPtr();
  if (source.is_bytes() && wanted.is_bytes()) return ConversionPtr();
  ConversionPtr first;
  DType made = source.dtype;
  if (source.unit != wanted.unit || storage.physical == ColumnStorage::kInt96) {
    ROWFEED_ASSIGN_OR_RETURN(first, MakeTimeConversion(source, storage, wanted.unit));
    made = DType::kInt64;
  } else if (storage.is_decimal()) {
    ConversionPtr exact = MakeDecimalToInteger(storage, wanted.dtype);
    if (exact != nullptr) return exact;
    first = MakeDecimalToFloat64(storage);
  }
  if (made == wanted.dtype) return first;
  ConversionPtr cast = MakeNumberCast(made, wanted.dtype);
  if (cast == nullptr) {
    return Status::Invalid(source.logical_type, " cannot become ",
                           DTypeName(wanted.dtype));
  }
  if (first == nullptr) return cast;
  return ConversionPtr(std::make_shared<Chain>(std::move(first), std::move(cast)));
}

}  // namespace rowfeed
