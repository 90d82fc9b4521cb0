// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests lists within lists, lists of strings, masks and padding: compares DecodeColumn
// with Arrow's reader, and any range of rows with the whole chunk.
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrow/table.h"
#include "core/decode/blocks/row_shape.h"
#include "core/decode/column_decoder.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using TypePtr = std::shared_ptr<arrow::DataType>;

constexpr int64_t kRows = 400;

TypePtr Fixed(const TypePtr& type, int size) {
  return arrow::fixed_size_list(type, size);
}

const TypePtr kTypes[] = {
    arrow::list(arrow::list(arrow::int32())),
    arrow::list(arrow::large_list(arrow::list(arrow::float64()))),
    arrow::list(arrow::utf8()),
    arrow::large_list(arrow::list(arrow::binary())),
    arrow::list(Fixed(arrow::float32(), 3)),
    Fixed(Fixed(arrow::int16(), 2), 3),
    Fixed(arrow::list(arrow::int64()), 2),
    Fixed(arrow::utf8(), 2),
    arrow::list(arrow::fixed_size_binary(5)),
    Fixed(arrow::fixed_size_binary(4), 2),
    arrow::list(arrow::list(Fixed(arrow::boolean(), 2))),
};

struct Layout {
  bool is_v2;
  int64_t page_bytes;
  bool has_dictionary;
  double null_share;
};

std::string BytesOf(const TypePtr& type, const Layout& layout) {
  const auto array = testing::RandomArray(
      type, kRows, 5,
      {.null_share = layout.null_share, .distinct_values = 9, .max_length = 4});
  parquet::WriterProperties::Builder properties;
  properties
      .data_page_version(layout.is_v2 ? parquet::ParquetDataPageVersion::V2
                                      : parquet::ParquetDataPageVersion::V1)
      ->data_pagesize(layout.page_bytes)
      ->write_batch_size(layout.page_bytes < 1000 ? 7 : 1024);
  layout.has_dictionary ? properties.enable_dictionary()
                        : properties.disable_dictionary();
  return testing::ParquetBytes(
      *arrow::Table::Make(arrow::schema({arrow::field("x", type)}), {array}),
      {.properties = properties.build()});
}

class NestedColumnsTest
    : public ::testing::TestWithParam<std::tuple<size_t, bool, bool, bool>> {
 protected:
  // Returns the rows of a range, and checks that both decoders agree on them.
  static std::vector<std::string> Rows(const ChunkRequest& request,
                                       const Column& column) {
    const auto pool = BufferPool::Make(1 << 26);
    const auto blocks = DecodeColumn(request, pool);
    const auto oracle = DecodeColumnWithArrow(request, pool);
    EXPECT_THAT(blocks, testing::IsOk());
    EXPECT_THAT(oracle, testing::IsOk());
    if (!blocks.ok() || !oracle.ok()) return {};
    auto rows = testing::RowsOf(*blocks, column, request.mask);
    EXPECT_TRUE(rows == testing::RowsOf(*oracle, column, request.mask));
    return rows;
  }
};

TEST_P(NestedColumnsTest, PagesAndRangesAgreeWithArrow) {
  const auto [type, is_v2, has_dictionary, has_nulls] = GetParam();
  for (const int64_t page_bytes : {int64_t{40}, int64_t{600}, int64_t{1} << 20}) {
    const Layout layout{is_v2, page_bytes, has_dictionary, has_nulls ? 0.2 : 0.0};
    auto chunks = testing::OpenChunks(BytesOf(kTypes[type], layout));
    ASSERT_EQ(chunks.size(), 1);
    testing::TestChunk& chunk = chunks[0];
    for (const bool with_mask : {false, true}) {
      if (!with_mask) chunk.fill = std::string(ElementSize(chunk.column.dtype), '\x2a');
      ChunkRequest request = chunk.Request();
      request.mask = with_mask ? Mask::kElements : Mask::kNone;
      const std::vector<std::string> all = Rows(request, chunk.column);
      ASSERT_EQ(all.size(), kRows);
      for (const auto& [begin, end] :
           {std::pair{0, 1}, {399, 400}, {100, 300}, {200, 201}, {1, 399}}) {
        request.begin_row = begin;
        request.end_row = end;
        const std::vector<std::string> expected(all.begin() + begin, all.begin() + end);
        EXPECT_TRUE(Rows(request, chunk.column) == expected) << begin << " " << end;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, NestedColumnsTest,
    ::testing::Combine(::testing::Range<size_t>(0, std::size(kTypes)),
                       ::testing::Bool(), ::testing::Bool(), ::testing::Bool()));

struct PaddedCase {
  TypePtr type;
  std::vector<int64_t> lengths;
  int64_t element_size;
  int64_t mask_size;  // bytes of a row in the mask
};

TEST(PaddingTest, PagesAgreeWithArrow) {
  const PaddedCase cases[] = {
      {arrow::list(arrow::int32()), {3}, 4, 3},
      {arrow::list(arrow::list(arrow::int64())), {3, 2}, 8, 6},
      {arrow::list(arrow::list(arrow::list(Fixed(arrow::float32(), 2)))),
       {2, 1, 3},
       4,
       12},
      {arrow::utf8(), {3}, 1, 3},
      {arrow::list(arrow::list(arrow::binary())), {2, 3, 2}, 1, 12},
  };
  for (const auto& [type, lengths, element_size, mask_size] : cases) {
    SCOPED_TRACE(type->ToString());
    for (const bool has_dictionary : {false, true}) {
      auto chunks = testing::OpenChunks(BytesOf(type, {.is_v2 = true,
                                                       .page_bytes = 200,
                                                       .has_dictionary = has_dictionary,
                                                       .null_share = 0.2}));
      testing::TestChunk& chunk = chunks.at(0);
      chunk.source = chunk.column;
      for (const auto truncate : {Padding::Truncate::kEnd, Padding::Truncate::kStart}) {
        const Padding padding{lengths, truncate, std::string(element_size, '\x07')};
        ROWFEED_ASSERT_OK_AND_ASSIGN(chunk.column, WithPadding(*chunk.source, padding));
        for (const auto& [begin, end] : {std::pair{0, 400}, {100, 300}, {399, 400}}) {
          ChunkRequest request = chunk.Request(begin, end);
          request.mask = Mask::kElements;
          request.padding = &padding;
          const auto pool = BufferPool::Make(1 << 26);
          ROWFEED_ASSERT_OK_AND_ASSIGN(const auto blocks, DecodeColumn(request, pool));
          ROWFEED_ASSERT_OK_AND_ASSIGN(const auto oracle,
                                       DecodeColumnWithArrow(request, pool));
          const auto rows = testing::RowsOf(blocks, chunk.column, Mask::kElements);
          EXPECT_TRUE(rows == testing::RowsOf(oracle, chunk.column, Mask::kElements));
          EXPECT_EQ(rows.at(0).size(), chunk.column.row_bytes() + mask_size);
        }
      }
    }
  }
}

TEST(RowMaskTest, SaysWhichListsAreNullInPagesAndInArrow) {
  for (const TypePtr& type :
       {arrow::list(arrow::int32()), arrow::list(arrow::list(arrow::utf8())),
        Fixed(arrow::float32(), 2)}) {
    SCOPED_TRACE(type->ToString());
    for (const bool is_v2 : {false, true}) {
      const Layout layout{is_v2, 200, false, 0.3};
      auto chunks = testing::OpenChunks(BytesOf(type, layout));
      testing::TestChunk& chunk = chunks.at(0);
      chunk.fill = std::string(ElementSize(chunk.column.dtype), '\x2a');
      const auto array = testing::RandomArray(
          type, kRows, 5, {.null_share = 0.3, .distinct_values = 9, .max_length = 4});
      for (const auto& [begin, end] : {std::pair{0, 400}, {150, 250}, {399, 400}}) {
        ChunkRequest request = chunk.Request(begin, end);
        request.mask = Mask::kRows;
        const auto pool = BufferPool::Make(1 << 26);
        for (const auto decode : {&DecodeColumn, &DecodeColumnWithArrow}) {
          ROWFEED_ASSERT_OK_AND_ASSIGN(const auto blocks, decode(request, pool));
          const auto rows = testing::RowsOf(blocks, chunk.column, Mask::kRows);
          for (int64_t row = begin; row < end; ++row) {
            EXPECT_EQ(rows[row - begin].back(), array->IsNull(row) ? 0 : 1) << row;
          }
        }
      }
    }
  }
}

TEST(RowMaskTest, LeavesNullsInListsRefused) {
  auto chunks = testing::OpenChunks(testing::ParquetBytes(*testing::TableOf(
      {{arrow::field("x", arrow::list(arrow::int32())), "[null, [1], [2, null]]"}})));
  const testing::TestChunk& chunk = chunks.at(0);
  ChunkRequest request = chunk.Request(0, 2);
  request.mask = Mask::kRows;
  EXPECT_THAT(DecodeColumn(request, BufferPool::Make(1 << 20)), testing::IsOk());
  request.end_row = 3;
  EXPECT_THAT(DecodeColumn(request, BufferPool::Make(1 << 20)),
              testing::StatusIs(StatusCode::kInvalid, "null at row 2"));
}

// Three lists of 2, 1 and 3 elements have as many elements in all as three lists of 2.
// The pages tell the difference only if none of them is skipped.
TEST(ShapeTest, RowsBehindListsOfAnotherLengthAreNotShifted) {
  auto chunks = testing::OpenChunks(testing::ParquetBytes(
      *testing::TableOf({{arrow::field("x", arrow::list(arrow::int32())),
                          "[[1], [2], [3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14]"
                          "]"}}),
      {.properties = parquet::WriterProperties::Builder()
                         .disable_dictionary()
                         ->data_pagesize(1)
                         ->write_batch_size(2)
                         ->build()}));
  testing::TestChunk& chunk = chunks.at(0);
  chunk.source = chunk.column = *WithShape(chunk.column, {2});
  ChunkRequest request = chunk.Request(6, 7);
  request.has_shape = true;
  const auto pool = BufferPool::Make(1 << 20);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto blocks, DecodeColumn(request, pool));
  EXPECT_EQ(testing::RowsOf(blocks, chunk.column).at(0)[0], 13);
  for (const int64_t row : {0, 3, 5}) {
    request.begin_row = row;
    EXPECT_THAT(DecodeColumn(request, pool),
                testing::StatusIs(StatusCode::kInvalid,
                                  row == 0 ? "has 1 elements, expected 2"
                                           : "has 3 elements, expected 2"));
  }
}

TEST(NestedLevelsTest, RefusesInnerListsOfAnotherSize) {
  const auto type = arrow::list(arrow::list(arrow::int32()));
  auto chunks = testing::OpenChunks(testing::ParquetBytes(
      *testing::TableOf({{arrow::field("x", type), "[[[1, 2]], [[3, 4], [5]]]"}})));
  testing::TestChunk& chunk = chunks.at(0);
  chunk.column.ragged_rank = 1;
  chunk.column.list_sizes = chunk.column.dense_shape = {2};
  EXPECT_THAT(DecodeColumn(chunk.Request(), BufferPool::Make(1 << 20)),
              testing::StatusIs(StatusCode::kCorrupt,
                                "row 1 of the row group has 1 elements, expected 2"));
}

}  // namespace
}  // namespace rowfeed
