// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests wide rows that are read from large pages of the file straight to their places.
#include "core/decode/row_placer.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "core/decode/column_decoder.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using testing::TestChunk;

struct PlacedCase {
  std::string name;
  std::shared_ptr<arrow::DataType> type;
  int64_t rows;
  bool is_v2 = false;
  double null_share = 0;
  arrow::Compression::type codec = arrow::Compression::UNCOMPRESSED;
  parquet::Encoding::type encoding = parquet::Encoding::PLAIN;
};

std::shared_ptr<arrow::DataType> Required(std::shared_ptr<arrow::DataType> type,
                                          int32_t size) {
  return arrow::fixed_size_list(
      arrow::field("item", std::move(type), /*nullable=*/false), size);
}

std::shared_ptr<arrow::Array> ArrayOf(const PlacedCase& test) {
  return testing::RandomArray(test.type, test.rows, 29,
                              {.null_share = test.null_share});
}

// Rows of lists in v1 pages may go on in the next page.
std::string FileOf(const PlacedCase& test) {
  const auto table = arrow::Table::Make(arrow::schema({arrow::field("x", test.type)}),
                                        {ArrayOf(test)});
  parquet::WriterProperties::Builder builder;
  builder.disable_dictionary()
      ->compression(test.codec)
      ->encoding(test.encoding)
      ->data_page_version(test.is_v2 ? parquet::ParquetDataPageVersion::V2
                                     : parquet::ParquetDataPageVersion::V1)
      ->data_pagesize(100000)
      ->write_batch_size(997);
  return testing::ParquetBytes(*table, {.properties = builder.build()});
}

TestChunk ChunkOf(const PlacedCase& test, const std::string& bytes) {
  TestChunk chunk = testing::OpenChunks(bytes).at(0);
  if (test.null_share > 0) {
    const bool is_bytes = chunk.column.is_bytes();
    chunk.fill =
        is_bytes ? "a fill" : std::string(ElementSize(chunk.column.dtype), '?');
  }
  return chunk;
}

class RowPlacerTest : public ::testing::TestWithParam<PlacedCase> {};

TEST_P(RowPlacerTest, PutsTheRowsWhereTheyAreWanted) {
  const PlacedCase& test = GetParam();
  const auto array = ArrayOf(test);
  const TestChunk chunk = ChunkOf(test, FileOf(test));
  const auto pool = BufferPool::Make(1 << 26);
  for (const auto& [begin, end] :
       std::vector<std::pair<int64_t, int64_t>>{{0, test.rows},
                                                {test.rows / 3, test.rows / 2},
                                                {1, 2},
                                                {test.rows - 1, test.rows},
                                                {5, 5}}) {
    SCOPED_TRACE(::testing::Message() << "rows " << begin << " to " << end);
    auto expected =
        testing::RowsOf(*array, begin, end, chunk.column, chunk.fill.value_or(""));
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto all,
                                 testing::RowsPlaced(chunk.Request(begin, end), pool));
    EXPECT_TRUE(all == expected);
    ROWFEED_ASSERT_OK_AND_ASSIGN(
        const auto some, testing::RowsPlaced(chunk.Request(begin, end), pool, 3));
    for (size_t i = 0; i < expected.size(); i += 3) expected[i].clear();
    EXPECT_TRUE(some == expected) << "without those that have no place";
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST_P(RowPlacerTest, DamageIsAnErrorOrGivesRows) {
  const PlacedCase& test = GetParam();
  const std::string bytes = FileOf(test);
  TestChunk chunk = ChunkOf(test, bytes);
  const auto pool = BufferPool::Make(1 << 26);
  std::mt19937_64 random(41);
  for (int trial = 0; trial < 60; ++trial) {
    std::string damaged = bytes;
    const auto at = static_cast<size_t>(chunk.chunk.offset);
    // Damages headers and levels, which are at the beginning of pages, in every second
    // trial.
    const size_t reach = trial % 2 == 0 ? 200 : chunk.chunk.size;
    for (int i = 0; i < 3; ++i) {
      damaged[at + random() % reach] = static_cast<char>(random());
    }
    chunk.file = std::make_shared<testing::MemoryFile>(std::move(damaged));
    const auto rows = testing::RowsPlaced(chunk.Request(), pool);
    EXPECT_TRUE(rows.ok() || !rows.status().message().empty());
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Types, RowPlacerTest,
    ::testing::Values(
        PlacedCase{"Lists4K", Required(arrow::float32(), 1000), 300},
        PlacedCase{"Lists4KV2", Required(arrow::float32(), 1000), 300, true},
        PlacedCase{"Lists2K", arrow::fixed_size_list(arrow::int64(), 256), 500},
        PlacedCase{"Lists200", Required(arrow::uint16(), 100), 5000},
        PlacedCase{"Lists132", arrow::fixed_size_list(arrow::float32(), 33), 5000},
        PlacedCase{"Binaries5000", arrow::fixed_size_binary(5000), 200},
        PlacedCase{"Binaries130V2", arrow::fixed_size_binary(130), 5000, true},
        PlacedCase{"Nulls", arrow::fixed_size_list(arrow::float32(), 900), 400, false,
                   0.1},
        PlacedCase{"FewNullsV2", arrow::fixed_size_binary(400), 3000, true, 0.0002},
        PlacedCase{"Zstd", Required(arrow::float64(), 300), 500, false, 0,
                   arrow::Compression::ZSTD},
        PlacedCase{"SnappyV2Nulls", arrow::fixed_size_list(arrow::int16(), 700), 300,
                   true, 0.1, arrow::Compression::SNAPPY},
        PlacedCase{"StreamSplit", Required(arrow::float32(), 512), 400, false, 0,
                   arrow::Compression::UNCOMPRESSED,
                   parquet::Encoding::BYTE_STREAM_SPLIT}),
    [](const auto& info) { return info.param.name; });

// In large pages, only headers, levels and the wanted rows are read.
TEST(RowPlacerReadsTest, RowsWithoutAPlaceAreNotRead) {
  const PlacedCase test{"", Required(arrow::float32(), 1000), 300};
  const TestChunk chunk = ChunkOf(test, FileOf(test));
  const auto pool = BufferPool::Make(1 << 26);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto all,
                               testing::RowsPlaced(chunk.Request(), pool));
  const int64_t of_all = chunk.file->bytes_read();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto some,
                               testing::RowsPlaced(chunk.Request(), pool, 2));
  EXPECT_EQ(of_all - (chunk.file->bytes_read() - of_all), 150 * 4000);
}

TEST(RowPlacerReadsTest, AWholeChunkThatIsNotInThePageCacheIsOneRead) {
  const PlacedCase test{"", Required(arrow::float32(), 1000), 300};
  const std::string bytes = FileOf(test);
  TestChunk chunk = ChunkOf(test, bytes);
  chunk.file = std::make_shared<testing::MemoryFile>(bytes, /*is_cached=*/false);
  const auto pool = BufferPool::Make(1 << 26);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto rows,
                               testing::RowsPlaced(chunk.Request(), pool));
  EXPECT_EQ(chunk.file->num_reads(), 1);
  EXPECT_TRUE(rows == testing::RowsOf(*ArrayOf(test), 0, 300, chunk.column, ""));
}

}  // namespace
}  // namespace rowfeed
