// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "testing/random_arrays.h"

#include <cstring>
#include <random>
#include <string>

#include "arrow/builder.h"
#include "arrow/status.h"
#include "arrow/type.h"

namespace rowfeed::testing {
namespace {

void AbortUnlessOk(const arrow::Status& status) {
  if (!status.ok()) status.Abort();
}

class Appender {
 public:
  Appender(uint64_t seed, const RandomArrayOptions& options)
      : random_(seed), options_(options) {}

  void Append(const arrow::DataType& type, bool nullable,
              arrow::ArrayBuilder* builder) {
    if (nullable && std::bernoulli_distribution(options_.null_share)(random_)) {
      return AbortUnlessOk(builder->AppendNull());
    }
    switch (type.id()) {
      case arrow::Type::LIST:
        AbortUnlessOk(static_cast<arrow::ListBuilder*>(builder)->Append());
        return AppendElements(
            type, Length(), static_cast<arrow::ListBuilder*>(builder)->value_builder());
      case arrow::Type::LARGE_LIST:
        AbortUnlessOk(static_cast<arrow::LargeListBuilder*>(builder)->Append());
        return AppendElements(
            type, Length(),
            static_cast<arrow::LargeListBuilder*>(builder)->value_builder());
      case arrow::Type::FIXED_SIZE_LIST:
        AbortUnlessOk(static_cast<arrow::FixedSizeListBuilder*>(builder)->Append());
        return AppendElements(
            type, static_cast<const arrow::FixedSizeListType&>(type).list_size(),
            static_cast<arrow::FixedSizeListBuilder*>(builder)->value_builder());
      default:
        return AppendElement(type, builder);
    }
  }

 private:
  int64_t Length() {
    return std::uniform_int_distribution<int64_t>(0, options_.max_length)(random_);
  }

  void AppendElements(const arrow::DataType& list, int64_t size,
                      arrow::ArrayBuilder* values) {
    const arrow::Field& field = *list.field(0);
    for (int64_t i = 0; i < size; ++i) Append(*field.type(), field.nullable(), values);
  }

  // Returns `size` bytes that are made from one of the distinct values.
  std::string Bytes(int64_t size) {
    uint64_t value = options_.distinct_values == 0
                         ? random_()
                         : random_() % options_.distinct_values;
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
      // Generator of Knuth's MMIX.
      value = value * 6364136223846793005 + 1442695040888963407;
      byte = static_cast<char>(value >> 56);
    }
    return bytes;
  }

  template <typename Builder>
  void AppendNumber(arrow::ArrayBuilder* builder) {
    typename Builder::value_type value;
    std::memcpy(&value, Bytes(sizeof(value)).data(), sizeof(value));
    AbortUnlessOk(static_cast<Builder*>(builder)->Append(value));
  }

  void AppendElement(const arrow::DataType& type, arrow::ArrayBuilder* builder) {
    switch (type.id()) {
      case arrow::Type::BOOL:
        return AbortUnlessOk(
            static_cast<arrow::BooleanBuilder*>(builder)->Append(random_() % 2 == 0));
      case arrow::Type::INT8:
        return AppendNumber<arrow::Int8Builder>(builder);
      case arrow::Type::INT16:
        return AppendNumber<arrow::Int16Builder>(builder);
      case arrow::Type::INT32:
        return AppendNumber<arrow::Int32Builder>(builder);
      case arrow::Type::INT64:
        return AppendNumber<arrow::Int64Builder>(builder);
      case arrow::Type::UINT8:
        return AppendNumber<arrow::UInt8Builder>(builder);
      case arrow::Type::UINT16:
        return AppendNumber<arrow::UInt16Builder>(builder);
      case arrow::Type::UINT32:
        return AppendNumber<arrow::UInt32Builder>(builder);
      case arrow::Type::UINT64:
        return AppendNumber<arrow::UInt64Builder>(builder);
      case arrow::Type::FLOAT:
        return AppendNumber<arrow::FloatBuilder>(builder);
      case arrow::Type::DOUBLE:
        return AppendNumber<arrow::DoubleBuilder>(builder);
      case arrow::Type::DATE32:
        return AppendNumber<arrow::Date32Builder>(builder);
      case arrow::Type::TIMESTAMP:
        return AppendNumber<arrow::TimestampBuilder>(builder);
      case arrow::Type::DECIMAL128: {
        const auto limit = arrow::Decimal128::GetScaleMultiplier(
            static_cast<const arrow::Decimal128Type&>(type).precision());
        int64_t value;
        std::memcpy(&value, Bytes(sizeof(value)).data(), sizeof(value));
        return AbortUnlessOk(static_cast<arrow::Decimal128Builder*>(builder)->Append(
            arrow::Decimal128(arrow::Decimal128(value) % limit)));
      }
      case arrow::Type::HALF_FLOAT: {
        uint16_t bits;
        std::memcpy(&bits, Bytes(sizeof(bits)).data(), sizeof(bits));
        return AbortUnlessOk(
            static_cast<arrow::HalfFloatBuilder*>(builder)->Append(bits));
      }
      case arrow::Type::FIXED_SIZE_BINARY:
        return AbortUnlessOk(
            static_cast<arrow::FixedSizeBinaryBuilder*>(builder)->Append(
                Bytes(type.byte_width())));
      case arrow::Type::LARGE_BINARY:
      case arrow::Type::LARGE_STRING:
        return AbortUnlessOk(
            static_cast<arrow::LargeBinaryBuilder*>(builder)->Append(Bytes(Length())));
      case arrow::Type::BINARY:
      case arrow::Type::STRING:
        return AbortUnlessOk(
            static_cast<arrow::BinaryBuilder*>(builder)->Append(Bytes(Length())));
      default:
        AbortUnlessOk(arrow::Status::NotImplemented(type.ToString()));
    }
  }

  std::mt19937_64 random_;
  const RandomArrayOptions options_;
};

}  // namespace

std::shared_ptr<arrow::Array> RandomArray(const std::shared_ptr<arrow::DataType>& type,
                                          int64_t size, uint64_t seed,
                                          const RandomArrayOptions& options) {
  auto builder = arrow::MakeBuilder(type).ValueOrDie();
  Appender appender(seed, options);
  for (int64_t i = 0; i < size; ++i) {
    if (options.is_in_null_run(i)) {
      AbortUnlessOk(builder->AppendNull());
    } else {
      appender.Append(*type, /*nullable=*/true, builder.get());
    }
  }
  return builder->Finish().ValueOrDie();
}

}  // namespace rowfeed::testing
