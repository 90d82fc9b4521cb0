// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests that damaged chunks of nested, masked, padded, shaped and converted columns
// give an error, or rows whose parts fit together.
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "core/decode/blocks/row_shape.h"
#include "core/decode/column_decoder.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/damage.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using testing::TestChunk;
using TypePtr = std::shared_ptr<arrow::DataType>;

constexpr int64_t kRows = 200;
constexpr int kTrials = 40;

// A column of a file, and the options with which it is decoded.
struct Case {
  TypePtr type;
  // Changes the column as batches hold it.
  std::function<void(Column*)> change = nullptr;
  StringEncoding encoding = {};
  std::optional<Padding> padding = std::nullopt;
  bool is_int96 = false;
  bool has_arrow_schema = true;
  std::vector<int64_t> shape = {};
};

TypePtr Fixed(const TypePtr& type, int size) {
  return arrow::fixed_size_list(type, size);
}

std::vector<Case> Nested() {
  return {
      {arrow::list(arrow::list(arrow::int32()))},
      {arrow::list(arrow::large_list(arrow::list(arrow::float64())))},
      {arrow::list(arrow::utf8())},
      {arrow::list(arrow::list(arrow::binary()))},
      {arrow::list(Fixed(arrow::float32(), 3))},
      {Fixed(Fixed(arrow::int16(), 2), 3)},
      {Fixed(arrow::utf8(), 2)},
      {Fixed(arrow::list(arrow::int64()), 2)},
      {arrow::list(arrow::list(Fixed(arrow::boolean(), 2)))},
      {arrow::list(arrow::fixed_size_binary(5))},
  };
}

void Cast(Column* column, DType dtype) { column->dtype = dtype; }

std::vector<Case> Converted() {
  const auto to_float = [](Column* column) { Cast(column, DType::kFloat32); };
  const auto to_int8 = [](Column* column) { Cast(column, DType::kInt8); };
  const auto to_int64 = [](Column* column) { Cast(column, DType::kInt64); };
  const auto to_half = [](Column* column) { Cast(column, DType::kBFloat16); };
  const auto nanos = arrow::timestamp(arrow::TimeUnit::NANO);
  const auto vocabulary = *Vocabulary::Make({"", "a", "b"}, 7);
  return {
      {arrow::int64(), to_int8},
      {arrow::float64(), to_half},
      {arrow::list(arrow::list(arrow::int64())), to_float},
      {arrow::list(arrow::fixed_size_binary(5)), to_float},
      {nanos, nullptr, {}, std::nullopt, /*is_int96=*/true},
      {nanos, [](Column* column) { column->unit = "ms"; }, {}, std::nullopt, true},
      {arrow::list(nanos), [](Column* column) { column->unit = "s"; }},
      {arrow::decimal128(7, 2)},
      {arrow::decimal128(17, 3), to_int64},
      {arrow::decimal128(38, 0), to_float},
      {arrow::list(arrow::list(arrow::decimal128(30, 9)))},
      {arrow::utf8(), to_int64, {.vocabulary = vocabulary}},
      {arrow::list(arrow::utf8()), to_int8, {.vocabulary = vocabulary}},
      {arrow::list(arrow::list(arrow::utf8())),
       to_int64,
       {.vocabulary = nullptr, .num_buckets = 10}},
  };
}

std::vector<Case> Padded() {
  std::vector<Case> cases;
  for (const auto truncate : {Padding::Truncate::kEnd, Padding::Truncate::kStart,
                              Padding::Truncate::kNever}) {
    const auto add = [&](const TypePtr& type, std::vector<int64_t> lengths, int size) {
      cases.push_back(
          {type,
           nullptr,
           {},
           Padding{std::move(lengths), truncate, std::string(size, '\x07')}});
    };
    add(arrow::list(arrow::int32()), {3}, 4);
    add(arrow::list(Fixed(arrow::int16(), 2)), {2}, 2);
    add(arrow::list(arrow::fixed_size_binary(9)), {4}, 1);
    add(arrow::list(arrow::list(arrow::int64())), {2, 3}, 8);
    add(arrow::list(arrow::list(arrow::list(Fixed(arrow::int8(), 2)))), {3, 2, 1}, 1);
    add(arrow::utf8(), {3}, 1);
    add(arrow::list(arrow::binary()), {2, 3}, 1);
  }
  return cases;
}

// Columns whose lists may have any length by the file's schema. The rows really have
// one size in some cases, and not in others.
std::vector<Case> Shaped() {
  const auto one = arrow::fixed_size_list(arrow::float32(), 3);
  const auto two = Fixed(Fixed(arrow::int16(), 2), 3);
  return {
      {.type = one, .has_arrow_schema = false, .shape = {3}},
      {.type = two, .has_arrow_schema = false, .shape = {3, 2}},
      {.type = Fixed(arrow::fixed_size_binary(4), 2),
       .has_arrow_schema = false,
       .shape = {2, 4}},
      {.type = arrow::list(arrow::int32()), .shape = {2}},
      {.type = arrow::list(arrow::list(arrow::int32())), .shape = {2, 2}},
  };
}

std::string FileOf(const Case& test, bool is_v2, bool has_dictionary, double nulls) {
  const auto array = testing::RandomArray(
      test.type, kRows, 5,
      {.null_share = nulls, .distinct_values = 9, .max_length = 4});
  parquet::WriterProperties::Builder properties;
  properties
      .data_page_version(is_v2 ? parquet::ParquetDataPageVersion::V2
                               : parquet::ParquetDataPageVersion::V1)
      ->data_pagesize(400)
      ->write_batch_size(20);
  has_dictionary ? properties.enable_dictionary() : properties.disable_dictionary();
  return testing::ParquetBytes(
      *arrow::Table::Make(arrow::schema({arrow::field("x", test.type)}), {array}),
      {.properties = properties.build(),
       .store_arrow_schema = test.has_arrow_schema,
       .int96_timestamps = test.is_int96});
}

// Returns the sum of the lengths in one part of a row.
int64_t SumOf(const std::string& row) {
  int64_t sum = 0;
  for (size_t i = 0; i < row.size(); i += sizeof(int64_t)) {
    int64_t length;
    std::memcpy(&length, row.data() + i, sizeof(length));
    sum += length;
  }
  return sum;
}

// Checks that the parts of each row fit together: consumers of a batch take the sum of
// the lengths in one part as the size of the next part.
void ExpectPartsToFit(const PartBlocks& blocks, const std::vector<Part>& parts) {
  ASSERT_EQ(blocks.size(), parts.size());
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < blocks.size(); ++i) {
    rows.push_back(testing::RowsOf(*blocks[i], parts[i]));
  }
  for (size_t row = 0; row < rows[0].size(); ++row) {
    std::optional<int64_t> units;
    for (size_t i = 0; i < parts.size(); ++i) {
      const int64_t found = std::ssize(rows[i][row]) / parts[i].unit_bytes;
      const bool is_counted = units && parts[i].kind != Part::Kind::kMask;
      EXPECT_EQ(found, is_counted ? *units : found);
      if (parts[i].kind == Part::Kind::kLengths) units = SumOf(rows[i][row]);
    }
  }
}

// Makes a chunk with the options of `test`, as a stream does.
TestChunk ChunkOf(const Case& test, const std::string& file) {
  TestChunk chunk = testing::OpenChunks(file).at(0);
  chunk.source = chunk.column;
  if (test.change) test.change(&chunk.column);
  chunk.encoding = test.encoding;
  if (test.padding) {
    chunk.column = *WithPadding(chunk.column, *test.padding);
  }
  if (!test.shape.empty()) {
    chunk.source = *WithShape(*chunk.source, test.shape);
    chunk.column = *WithShape(chunk.column, test.shape);
  }
  return chunk;
}

int DecodeAndGather(const TestChunk& chunk, const Case& test, Mask mask,
                    const std::shared_ptr<BufferPool>& pool) {
  int decoded = 0;
  const std::vector<Part> parts = PartsOf(chunk.column, mask);
  for (const auto& [begin, end] :
       {std::pair<int64_t, int64_t>{0, kRows}, {kRows / 3, kRows / 2}, {7, 8}}) {
    ChunkRequest request = chunk.Request(begin, end);
    request.mask = mask;
    if (test.padding) request.padding = &*test.padding;
    request.has_shape = !test.shape.empty();
    for (const auto decode : {&DecodeColumn, &DecodeColumnWithArrow}) {
      const auto blocks = decode(request, pool);
      if (!blocks.ok()) {
        EXPECT_FALSE(blocks.status().message().empty());
        continue;
      }
      ++decoded;
      ExpectPartsToFit(*blocks, parts);
    }
  }
  return decoded;
}

class DamagedColumnsTest : public ::testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  static void Run(const std::vector<Case>& cases) {
    const auto [is_v2, has_dictionary] = GetParam();
    std::mt19937_64 random(23);
    const auto pool = BufferPool::Make(1 << 26);
    for (const Case& test : cases) {
      SCOPED_TRACE(test.type->ToString());
      for (const double nulls : {0.0, 0.3}) {
        const std::string file = FileOf(test, is_v2, has_dictionary, nulls);
        TestChunk chunk = ChunkOf(test, file);
        if (random() % 2 == 0) {
          chunk.fill = std::string(ElementSize(chunk.column.dtype), '\0');
        }
        for (int trial = 0; trial < kTrials; ++trial) {
          chunk.file = std::make_shared<testing::MemoryFile>(
              testing::Damage(chunk, file, &random));
          DecodeAndGather(chunk, test, static_cast<Mask>(trial % 3), pool);
        }
      }
    }
    EXPECT_EQ(pool->bytes_in_use(), 0);
  }
};

TEST_P(DamagedColumnsTest, OfNestedColumns) { Run(Nested()); }
TEST_P(DamagedColumnsTest, OfConvertedColumns) { Run(Converted()); }
TEST_P(DamagedColumnsTest, OfPaddedColumns) { Run(Padded()); }
TEST_P(DamagedColumnsTest, OfShapedColumns) { Run(Shaped()); }

INSTANTIATE_TEST_SUITE_P(Layouts, DamagedColumnsTest,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()));

// Shows that the trials above are not in vain: without damage, all rows are decoded.
TEST(NestedCorruptionTest, WithoutDamageAllIsDecoded) {
  const auto pool = BufferPool::Make(1 << 26);
  for (const auto& cases : {Nested(), Padded()}) {
    for (const Case& test : cases) {
      SCOPED_TRACE(test.type->ToString());
      if (test.padding && test.padding->truncate == Padding::Truncate::kNever) continue;
      const TestChunk chunk = ChunkOf(test, FileOf(test, true, false, 0.3));
      EXPECT_EQ(DecodeAndGather(chunk, test, Mask::kElements, pool), 6);
    }
  }
}

}  // namespace
}  // namespace rowfeed
