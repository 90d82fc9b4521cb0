// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests conversions in both decoders, for every layout of a chunk.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "arrow/array.h"
#include "arrow/scalar.h"
#include "arrow/table.h"
#include "arrow/type.h"
#include "core/decode/column_decoder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/chunk_fixture.h"
#include "testing/chunk_layouts.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using parquet::Encoding;
using ::rowfeed::testing::StatusIs;
using testing::kLayouts;
using testing::Layout;
using testing::TestChunk;
using ArrayPtr = std::shared_ptr<arrow::Array>;
using TypePtr = std::shared_ptr<arrow::DataType>;
// A function that returns the bytes that a value, which is not null, becomes.
using Element = std::function<std::string(const arrow::Array&, int64_t)>;

constexpr int64_t kRows = 1000;

template <typename T>
std::string BytesOf(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

// Writes `array` to a chunk. `want` changes the column that batches shall hold.
TestChunk ChunkOf(const ArrayPtr& array, const std::function<void(Column*)>& want,
                  const testing::WriteOptions& options = {}) {
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", array->type())}), {array});
  TestChunk chunk = testing::OpenChunks(testing::ParquetBytes(*table, options)).at(0);
  chunk.source = chunk.column;
  want(&chunk.column);
  return chunk;
}

std::string RowOf(const arrow::Array& array, int64_t i, const Element& element,
                  const std::string& fill) {
  if (array.type_id() != arrow::Type::LIST) {
    const bool is_blob = array.type_id() == arrow::Type::FIXED_SIZE_BINARY;
    const int64_t size = is_blob ? array.type()->byte_width() : 1;
    return array.IsNull(i) ? testing::Repeat(fill, size) : element(array, i);
  }
  const auto& list = static_cast<const arrow::ListArray&>(array);
  std::string row;
  for (int64_t k = list.value_offset(i); k < list.value_offset(i + 1); ++k) {
    row += list.values()->IsNull(k) ? fill : element(*list.values(), k);
  }
  return row;
}

void ExpectRows(const TestChunk& chunk, const arrow::Array& array,
                const Element& element) {
  const auto pool = BufferPool::Make(1 << 26);
  const std::string fill(ElementSize(chunk.column.dtype), '\x5a');
  const std::pair<int64_t, int64_t> ranges[] = {{0, kRows}, {0, 0},     {0, 1},
                                                {333, 334}, {250, 750}, {499, kRows}};
  for (const auto& [begin, end] : ranges) {
    SCOPED_TRACE(::testing::Message() << "rows " << begin << " to " << end);
    std::vector<std::string> expected;
    for (int64_t i = begin; i < end; ++i) {
      expected.push_back(RowOf(array, i, element, fill));
    }
    TestChunk filled = chunk;
    if (array.null_count() > 0) filled.fill = fill;
    const ChunkRequest request = filled.Request(begin, end);
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto block, DecodeColumn(request, pool));
    EXPECT_TRUE(testing::RowsOf(block, chunk.column) == expected);
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto oracle,
                                 DecodeColumnWithArrow(request, pool));
    EXPECT_TRUE(testing::RowsOf(oracle, chunk.column) == expected) << "by Arrow";
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

std::string Decimal(const arrow::DecimalType& type, std::mt19937_64* random) {
  const auto least = static_cast<size_t>(type.scale()) + 1;
  const size_t size = 1 + (*random)() % type.precision();
  std::string text((*random)() % 2, '-');
  for (size_t place = std::max(size, least); place > 0; --place) {
    if (place + 1 == least) text += '.';
    text += static_cast<char>(place > size ? '0' : '0' + (*random)() % 10);
  }
  return text;
}

ArrayPtr Decimals(const TypePtr& type, const Layout& layout) {
  std::mt19937_64 random(7);
  std::vector<std::string> values(layout.distinct_values > 0 ? layout.distinct_values
                                                             : kRows);
  for (std::string& value : values) {
    value =
        "\"" + Decimal(static_cast<const arrow::DecimalType&>(*type), &random) + "\"";
  }
  const testing::RandomArrayOptions options = ArrayOptionsOf(layout);
  std::string json;
  for (int64_t i = 0; i < kRows; ++i) {
    const bool is_null =
        (random() >> 11) * 0x1p-53 < layout.null_share || options.is_in_null_run(i);
    json += i > 0 ? "," : "[";
    json += is_null ? "null" : values[random() % values.size()];
  }
  return testing::ArrayOf(type, json + "]");
}

// Returns the bytes of the float64 nearest to a decimal: strtod rounds to nearest.
std::string NearestDouble(const arrow::Array& array, int64_t i) {
  const std::string text = array.GetScalar(i).ValueOrDie()->ToString();
  return BytesOf(std::strtod(text.c_str(), nullptr));
}

class ColumnConversionTest : public ::testing::TestWithParam<Layout> {};

TEST_P(ColumnConversionTest, DecimalsBecomeTheNearestDouble) {
  const TypePtr types[] = {arrow::decimal32(5, 2),    arrow::decimal64(18, 4),
                           arrow::decimal128(9, 0),   arrow::decimal128(20, 19),
                           arrow::decimal128(38, 30), arrow::decimal256(76, 40)};
  for (const TypePtr& type : types) {
    SCOPED_TRACE(type->ToString());
    const ArrayPtr array = Decimals(type, GetParam());
    for (const bool as_integer : {false, true}) {
      auto properties = PropertiesOf(GetParam(), Encoding::PLAIN, as_integer);
      ExpectRows(ChunkOf(array, [](Column*) {}, {.properties = properties}), *array,
                 NearestDouble);
    }
  }
}

std::string AsInt64(const arrow::Array& array, int64_t i) {
  return BytesOf(static_cast<const arrow::TimestampArray&>(array).Value(i));
}

TEST_P(ColumnConversionTest, Int96BecomesNanoseconds) {
  for (const TypePtr& type : {arrow::timestamp(arrow::TimeUnit::NANO),
                              arrow::list(arrow::timestamp(arrow::TimeUnit::NANO))}) {
    SCOPED_TRACE(type->ToString());
    const ArrayPtr array =
        testing::RandomArray(type, kRows, 11, ArrayOptionsOf(GetParam()));
    const TestChunk chunk =
        ChunkOf(array, [](Column*) {},
                {.properties = PropertiesOf(GetParam()), .int96_timestamps = true});
    ASSERT_EQ(chunk.column.storage.physical, ColumnStorage::kInt96);
    ExpectRows(chunk, *array, AsInt64);
  }
}

std::string FlooredToMillis(const arrow::Array& array, int64_t i) {
  const int64_t nanos = static_cast<const arrow::TimestampArray&>(array).Value(i);
  return BytesOf(nanos / 1'000'000 - (nanos % 1'000'000 < 0 ? 1 : 0));
}

TEST_P(ColumnConversionTest, CoarserUnitsAreRoundedDown) {
  for (const bool int96 : {false, true}) {
    const ArrayPtr array = testing::RandomArray(arrow::timestamp(arrow::TimeUnit::NANO),
                                                kRows, 11, ArrayOptionsOf(GetParam()));
    ExpectRows(
        ChunkOf(array, [](Column* column) { column->unit = "ms"; },
                {.properties = PropertiesOf(GetParam()), .int96_timestamps = int96}),
        *array, FlooredToMillis);
  }
}

template <typename ArrowArray>
std::string AsFloat(const arrow::Array& array, int64_t i) {
  return BytesOf(static_cast<float>(static_cast<const ArrowArray&>(array).Value(i)));
}

// Converts each byte of a fixed-size binary.
std::string BytesAsFloats(const arrow::Array& array, int64_t i) {
  std::string floats;
  for (const char byte : testing::ElementOf(array, i)) {
    floats += BytesOf(static_cast<float>(static_cast<uint8_t>(byte)));
  }
  return floats;
}

TEST_P(ColumnConversionTest, NumbersAreCast) {
  const std::pair<TypePtr, Element> columns[] = {
      {arrow::int64(), AsFloat<arrow::Int64Array>},
      {arrow::uint8(), AsFloat<arrow::UInt8Array>},
      {arrow::boolean(), AsFloat<arrow::BooleanArray>},
      {arrow::float64(), AsFloat<arrow::DoubleArray>},
      {arrow::list(arrow::int16()), AsFloat<arrow::Int16Array>},
      {arrow::fixed_size_binary(3), BytesAsFloats}};
  for (const auto& [type, element] : columns) {
    SCOPED_TRACE(type->ToString());
    const ArrayPtr array =
        testing::RandomArray(type, kRows, 11, ArrayOptionsOf(GetParam()));
    const TestChunk chunk =
        ChunkOf(array, [](Column* column) { column->dtype = DType::kFloat32; },
                {.properties = PropertiesOf(GetParam())});
    ExpectRows(chunk, *array, element);
  }
}

TEST_P(ColumnConversionTest, StringsAreEncoded) {
  testing::RandomArrayOptions options = ArrayOptionsOf(GetParam());
  options.max_length = 1;
  const ArrayPtr array = testing::RandomArray(arrow::binary(), kRows, 11, options);
  TestChunk chunk =
      ChunkOf(array, [](Column* column) { column->dtype = DType::kInt16; },
              {.properties = PropertiesOf(GetParam())});
  std::vector<std::string> bytes;
  for (int byte = 0; byte < 256; byte += 2)
    bytes.emplace_back(1, static_cast<char>(byte));
  chunk.encoding.vocabulary = *Vocabulary::Make(bytes, 999);
  ExpectRows(chunk, *array, [](const arrow::Array& values, int64_t i) {
    const std::string value = testing::ElementOf(values, i);
    const int byte = value.empty() ? 1 : static_cast<uint8_t>(value[0]);
    return BytesOf(static_cast<int16_t>(byte % 2 == 0 ? byte / 2 : 999));
  });
  chunk.encoding = {nullptr, 100};
  ExpectRows(chunk, *array, [](const arrow::Array& values, int64_t i) {
    return BytesOf(
        static_cast<int16_t>(HashBucket(testing::ElementOf(values, i), 100)));
  });
}

TEST(EncodedStringsTest, OfOtherEncodings) {
  for (const Encoding::type encoding :
       {Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY}) {
    const ArrayPtr array =
        testing::RandomArray(arrow::utf8(), kRows, 11, {.null_share = 0.2});
    TestChunk chunk =
        ChunkOf(array, [](Column* column) { column->dtype = DType::kInt64; },
                {.properties = PropertiesOf(kLayouts[1], encoding)});
    chunk.encoding.num_buckets = 1000;
    ExpectRows(chunk, *array, [](const arrow::Array& values, int64_t i) {
      return BytesOf(HashBucket(testing::ElementOf(values, i), 1000));
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, ColumnConversionTest, ::testing::ValuesIn(kLayouts),
                         [](const auto& info) { return std::string(info.param.name); });

using Decoder = Result<PartBlocks> (*)(const ChunkRequest&,
                                       const std::shared_ptr<BufferPool>&);

struct RefusalCase {
  Decoder decoder;
  bool has_dictionary;
};

// Runs each test with both decoders, with and without a dictionary.
class ConversionRefusalTest : public ::testing::TestWithParam<RefusalCase> {
 protected:
  TestChunk Seconds(const TypePtr& type, const std::string& json) {
    Layout layout{.name = ""};
    layout.has_dictionary = GetParam().has_dictionary;
    return ChunkOf(testing::ArrayOf(type, json),
                   [](Column* column) { column->unit = "ns"; },
                   {.properties = PropertiesOf(layout)});
  }
  Status Decode(const TestChunk& chunk, int64_t begin, int64_t end) {
    return GetParam().decoder(chunk.Request(begin, end), pool_).status();
  }
  std::shared_ptr<BufferPool> pool_ = BufferPool::Make(1 << 24);
};

const TypePtr kMillis = arrow::timestamp(arrow::TimeUnit::MILLI);

TEST_P(ConversionRefusalTest, NamesTheRow) {
  TestChunk chunk = Seconds(kMillis, "[1, null, 2, null, 9223372036855, 3]");
  chunk.fill = std::string(8, '\0');
  EXPECT_THAT(Decode(chunk, 0, 6), StatusIs(StatusCode::kInvalid,
                                            "row 4 of the row group: 9223372036855 "
                                            "ms does not fit in int64 ns"));
  EXPECT_EQ(pool_->bytes_in_use(), 0);
}

TEST_P(ConversionRefusalTest, MindsOnlyTheRowsAskedFor) {
  const TestChunk chunk = Seconds(kMillis, "[9223372036855, 1, 2, -9223372036855]");
  ROWFEED_EXPECT_OK(Decode(chunk, 1, 3));
  EXPECT_THAT(Decode(chunk, 1, 4), StatusIs(StatusCode::kInvalid, "row 3 of"));
}

TEST_P(ConversionRefusalTest, NamesTheRowOfAnElement) {
  TestChunk chunk = Seconds(arrow::list(kMillis),
                            "[[1], null, [], [null, 2], [3, 9223372036855], [4]]");
  chunk.fill = std::string(8, '\0');
  EXPECT_THAT(Decode(chunk, 0, 6), StatusIs(StatusCode::kInvalid, "row 4 of"));
  EXPECT_THAT(Decode(chunk, 2, 6), StatusIs(StatusCode::kInvalid, "row 4 of"));
  ROWFEED_EXPECT_OK(Decode(chunk, 0, 4));
  ROWFEED_EXPECT_OK(Decode(chunk, 5, 6));
}

INSTANTIATE_TEST_SUITE_P(Decoders, ConversionRefusalTest,
                         ::testing::Values(RefusalCase{&DecodeColumn, false},
                                           RefusalCase{&DecodeColumn, true},
                                           RefusalCase{&DecodeColumnWithArrow, false}),
                         [](const auto& info) {
                           return std::string(info.param.decoder == &DecodeColumn
                                                  ? "Pages"
                                                  : "Arrow") +
                                  (info.param.has_dictionary ? "Dictionary" : "");
                         });

}  // namespace
}  // namespace rowfeed
