// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/column_decoder.h"

#include <atomic>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "core/decode/file_rows.h"
#include "core/decode/pages/chunk_reader.h"
#include "core/decode/pages/page_list.h"
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
using testing::kLayouts;
using testing::Layout;
using TypePtr = std::shared_ptr<arrow::DataType>;

constexpr int64_t kRows = 1000;

std::string FillOf(const Column& column) {
  return column.is_bytes() ? "a fill" : std::string(ElementSize(column.dtype), '\x5a');
}

// Compares all decoders with the array that was written, for the whole chunk and for
// parts of it.
void ExpectDecodes(const TypePtr& type, const Layout& layout, Encoding::type encoding) {
  const auto array = testing::RandomArray(type, kRows, 11, ArrayOptionsOf(layout));
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", type)}), {array});
  const std::string bytes =
      testing::ParquetBytes(*table, {.properties = PropertiesOf(layout, encoding)});
  std::vector<testing::TestChunk> chunks = testing::OpenChunks(bytes);
  ASSERT_EQ(chunks.size(), 1);
  testing::TestChunk& chunk = chunks[0];
  const std::string fill = FillOf(chunk.column);
  if (layout.has_nulls()) chunk.fill = fill;
  const auto pool = BufferPool::Make(1 << 26);
  const std::pair<int64_t, int64_t> ranges[] = {
      {0, kRows}, {0, 0},     {kRows, kRows}, {0, 1},    {kRows - 1, kRows},
      {333, 334}, {250, 750}, {1, kRows - 1}, {499, 620}};
  for (const auto& [begin, end] : ranges) {
    SCOPED_TRACE(::testing::Message() << "rows " << begin << " to " << end);
    const auto expected = testing::RowsOf(*array, begin, end, chunk.column, fill);
    const ChunkRequest request = chunk.Request(begin, end);
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto block, DecodeColumn(request, pool));
    EXPECT_TRUE(testing::RowsOf(block, chunk.column) == expected);
    if (!PartsOf(chunk.column, Mask::kNone).at(0).is_variable) {
      ROWFEED_ASSERT_OK_AND_ASSIGN(const std::string rows,
                                   testing::RowsInPlace(chunk, begin, end, pool));
      EXPECT_EQ(rows, std::accumulate(expected.begin(), expected.end(), std::string()));
      ROWFEED_ASSERT_OK_AND_ASSIGN(const auto placed,
                                   testing::RowsPlaced(request, pool));
      EXPECT_TRUE(placed == expected) << "in their places";
    }
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto oracle,
                                 DecodeColumnWithArrow(request, pool));
    EXPECT_TRUE(testing::RowsOf(oracle, chunk.column) == expected) << "by Arrow";
    if (!chunk.has_string_rows() || !chunk.chunk.is_verbatim) continue;
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto file_rows, FindFileRows(request, pool));
    ASSERT_FALSE(file_rows.empty());
    EXPECT_TRUE(testing::RowsOf(file_rows, chunk.column) == expected) << "in the file";
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

const TypePtr kTypes[] = {
    arrow::boolean(),
    arrow::int8(),
    arrow::int16(),
    arrow::int32(),
    arrow::int64(),
    arrow::uint8(),
    arrow::uint16(),
    arrow::uint32(),
    arrow::uint64(),
    arrow::float16(),
    arrow::float32(),
    arrow::float64(),
    arrow::date32(),
    arrow::timestamp(arrow::TimeUnit::MICRO),
    arrow::utf8(),
    arrow::large_binary(),
    arrow::fixed_size_binary(5),
    arrow::fixed_size_binary(16),
    arrow::fixed_size_binary(200),
    arrow::list(arrow::int64()),
    arrow::list(arrow::int16()),
    arrow::list(arrow::boolean()),
    arrow::large_list(arrow::float16()),
    arrow::list(arrow::field("item", arrow::float32(), /*nullable=*/false)),
    arrow::fixed_size_list(arrow::float32(), 3),
    arrow::fixed_size_list(arrow::float64(), 50),
    arrow::fixed_size_list(arrow::uint8(), 16),
    arrow::fixed_size_list(arrow::field("item", arrow::int32(), /*nullable=*/false),
                           40),
};

class LayoutTest : public ::testing::TestWithParam<Layout> {};

TEST_P(LayoutTest, GivesTheRowsWritten) {
  for (const TypePtr& type : kTypes) {
    SCOPED_TRACE(type->ToString());
    ExpectDecodes(type, GetParam(), Encoding::PLAIN);
  }
}

TEST_P(LayoutTest, DecodesNumbersWhereTheyAreWanted) {
  const auto array = testing::RandomArray(arrow::int32(), kRows, 11, {});
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", arrow::int32())}), {array});
  const testing::TestChunk chunk =
      testing::OpenChunks(
          testing::ParquetBytes(
              *table, {.properties = PropertiesOf(GetParam(), Encoding::PLAIN)}))
          .at(0);
  std::vector<int32_t> rows(kRows);
  ChunkRequest request = chunk.Request();
  request.rows_out = reinterpret_cast<uint8_t*>(rows.data());
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto blocks,
                               DecodeColumn(request, BufferPool::Make(1 << 26)));
  for (int64_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(rows[i], static_cast<const arrow::Int32Array&>(*array).Value(i));
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, LayoutTest, ::testing::ValuesIn(kLayouts),
                         [](const auto& info) { return std::string(info.param.name); });

struct Coding {
  Encoding::type encoding;
  std::vector<TypePtr> types;
};

class EncodingTest : public ::testing::TestWithParam<Layout> {};

TEST_P(EncodingTest, GivesTheRowsWritten) {
  const Coding codings[] = {
      {Encoding::RLE, {arrow::boolean(), arrow::list(arrow::boolean())}},
      {Encoding::DELTA_BINARY_PACKED,
       {arrow::int32(), arrow::uint16(), arrow::int64(), arrow::list(arrow::int64()),
        arrow::fixed_size_list(arrow::int8(), 4)}},
      {Encoding::DELTA_LENGTH_BYTE_ARRAY, {arrow::utf8()}},
      {Encoding::DELTA_BYTE_ARRAY, {arrow::binary(), arrow::fixed_size_binary(9)}},
      {Encoding::BYTE_STREAM_SPLIT,
       {arrow::float32(), arrow::float64(), arrow::float16(), arrow::int32(),
        arrow::fixed_size_binary(6), arrow::fixed_size_list(arrow::float32(), 100)}},
  };
  // With a dictionary, Arrow writes all other values plain, whatever the encoding.
  Layout layout = GetParam();
  layout.has_dictionary = false;
  for (const Coding& coding : codings) {
    for (const TypePtr& type : coding.types) {
      SCOPED_TRACE(parquet::EncodingToString(coding.encoding) + " " + type->ToString());
      ExpectDecodes(type, layout, coding.encoding);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, EncodingTest, ::testing::ValuesIn(kLayouts),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ColumnDecoderTest, ACancelledRequestOpensNoPage) {
  for (const TypePtr& type : {arrow::int64(), arrow::list(arrow::int64())}) {
    const auto array = testing::RandomArray(type, kRows, 11, {});
    const auto table =
        arrow::Table::Make(arrow::schema({arrow::field("x", type)}), {array});
    const std::vector<testing::TestChunk> chunks =
        testing::OpenChunks(testing::ParquetBytes(*table, {}));
    const std::atomic<bool> cancelled = true;
    ChunkRequest request = chunks[0].Request();
    request.cancelled = &cancelled;
    EXPECT_THAT(DecodeColumn(request, BufferPool::Make(1 << 26)),
                testing::StatusIs(StatusCode::kCancelled, "cancelled"));
  }
}

// Pages that are marked as not compressed but are, as Arrow's writer before version 3
// wrote them.
TEST(DecodeColumnTest, ReadsCompressedPagesThatAreSaidNotToBe) {
  const auto table = testing::Int64Table({"x"}, kRows);
  parquet::WriterProperties::Builder builder;
  builder.disable_dictionary()
      ->disable_statistics()
      ->compression(arrow::Compression::SNAPPY)
      ->data_page_version(parquet::ParquetDataPageVersion::V2);
  std::string bytes = testing::ParquetBytes(*table, {.properties = builder.build()});
  const auto pool = BufferPool::Make(1 << 26);
  const testing::TestChunk written = testing::OpenChunks(bytes).at(0);
  ROWFEED_ASSERT_OK_AND_ASSIGN(ChunkReader reader,
                               ChunkReader::Open(written.Request(), pool));
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageList pages, ListPages(&reader, written.chunk));
  ASSERT_FALSE(pages.data.empty());
  for (const Page& page : pages.data) {
    // The ends of two structs follow.
    char& is_compressed = bytes.at(written.chunk.offset + page.offset - 3);
    ASSERT_EQ(is_compressed, 0x11);
    is_compressed = 0x12;
  }
  const testing::TestChunk chunk = testing::OpenChunks(bytes).at(0);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto block, DecodeColumn(chunk.Request(), pool));
  EXPECT_TRUE(testing::RowsOf(block, chunk.column) ==
              testing::RowsOf(*table->column(0)->chunk(0), 0, kRows, chunk.column, ""));
}

}  // namespace
}  // namespace rowfeed
