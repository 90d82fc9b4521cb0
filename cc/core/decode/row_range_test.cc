// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests parts of large chunks: they have the right rows, and only the bytes that they
// need are read.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "core/decode/column_decoder.h"
#include "core/decode/pages/page_selection.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using testing::TestChunk;

struct RangeCase {
  std::string name;
  std::shared_ptr<arrow::DataType> type;
  int64_t rows;
  bool is_v2 = false;
  double null_share = 0;
  int64_t max_length = 12;
};

std::shared_ptr<arrow::Array> ArrayOf(const RangeCase& test) {
  return testing::RandomArray(
      test.type, test.rows, 23,
      {.null_share = test.null_share, .max_length = test.max_length});
}

TestChunk ChunkOf(const RangeCase& test) {
  const auto table = arrow::Table::Make(arrow::schema({arrow::field("x", test.type)}),
                                        {ArrayOf(test)});
  parquet::WriterProperties::Builder builder;
  builder.disable_dictionary()
      ->data_page_version(test.is_v2 ? parquet::ParquetDataPageVersion::V2
                                     : parquet::ParquetDataPageVersion::V1)
      ->data_pagesize(20000)
      ->write_batch_size(97);
  return testing::OpenChunks(
             testing::ParquetBytes(*table, {.properties = builder.build()}))
      .at(0);
}

class RowRangeTest : public ::testing::TestWithParam<RangeCase> {};

TEST_P(RowRangeTest, ReadsThePagesThatHoldTheRows) {
  const RangeCase& test = GetParam();
  const auto array = ArrayOf(test);
  TestChunk chunk = ChunkOf(test);
  chunk.fill = chunk.column.is_bytes()
                   ? "a fill"
                   : std::string(ElementSize(chunk.column.dtype), '?');
  ASSERT_GT(chunk.chunk.size, 600000);
  const auto pool = BufferPool::Make(1 << 26);
  for (const double place : {0.0, 0.1, 0.5, 0.98}) {
    const auto begin = static_cast<int64_t>(place * test.rows);
    const int64_t end = begin + test.rows / 50;
    SCOPED_TRACE(begin);
    const int64_t read_before = chunk.file->bytes_read();
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto block,
                                 DecodeColumn(chunk.Request(begin, end), pool));
    EXPECT_LT(chunk.file->bytes_read() - read_before, chunk.chunk.size / 2);
    EXPECT_TRUE(testing::RowsOf(block, chunk.column) ==
                testing::RowsOf(*array, begin, end, chunk.column, *chunk.fill));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, RowRangeTest,
    ::testing::Values(
        RangeCase{"Numbers", arrow::int64(), 100000},
        RangeCase{"NullableNumbers", arrow::float32(), 200000, false, 0.1},
        RangeCase{"NumbersV2", arrow::int64(), 100000, true, 0.1},
        // Statistics make page headers longer than the first read of a header.
        RangeCase{"LongStrings", arrow::utf8(), 2000, false, 0.01, 3000},
        RangeCase{"FullLists", arrow::fixed_size_list(arrow::float32(), 100), 2500},
        RangeCase{"SmallFullLists", arrow::fixed_size_list(arrow::float32(), 3), 60000},
        RangeCase{"ListsV2", arrow::list(arrow::int64()), 30000, true, 0.1},
        RangeCase{"FixedListsV2", arrow::fixed_size_list(arrow::int64(), 7), 30000,
                  true, 0.1}),
    [](const auto& info) { return info.param.name; });

// The rows of lists in v1 pages are counted by their levels, and parts must still be
// right.
TEST(RowRangeOfListsTest, GivesTheRowsWritten) {
  const RangeCase test{"Lists", arrow::list(arrow::int64()), 30000, false, 0.1};
  const auto array = ArrayOf(test);
  TestChunk chunk = ChunkOf(test);
  chunk.fill = std::string(8, '?');
  const auto pool = BufferPool::Make(1 << 26);
  for (const int64_t begin : {0, 1, 7000, 29000}) {
    ROWFEED_ASSERT_OK_AND_ASSIGN(
        const auto block, DecodeColumn(chunk.Request(begin, begin + 1000), pool));
    EXPECT_TRUE(
        testing::RowsOf(block, chunk.column) ==
        testing::RowsOf(*array, begin, begin + 1000, chunk.column, *chunk.fill));
  }
}

// Makes pages with these numbers of values. V2 pages have half as many rows, which are
// counted.
PageList PagesOf(const std::vector<int32_t>& num_values, PageHeader::Type type) {
  PageList pages;
  for (const int32_t count : num_values) {
    Page page;
    page.header.type = type;
    page.header.num_values = count;
    if (type == PageHeader::kDataV2) page.num_rows = count / 2;
    pages.data.push_back(page);
  }
  return pages;
}

class SelectPagesTest : public ::testing::Test {
 protected:
  Result<PageSelection> Select(const SlotFormat& format, int64_t group_rows,
                               int64_t begin, int64_t end, const PageList& pages) {
    chunk_.group_rows = group_rows;
    chunk_.chunk.num_values = 0;
    for (const Page& page : pages.data) {
      chunk_.chunk.num_values += page.header.num_values;
    }
    return SelectPages(chunk_.Request(begin, end), format, pages);
  }
  TestChunk chunk_;
};

TEST_F(SelectPagesTest, CountsTheRowsOfFullLists) {
  SlotFormat format;
  format.is_list = true;
  format.slots_per_row = 4;
  // Row 2 begins in page 0 and ends in page 2.
  const PageList pages = PagesOf({10, 1, 9, 4}, PageHeader::kData);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto middle, Select(format, 6, 3, 4, pages));
  EXPECT_EQ(middle.pages.data.size(), 1);
  EXPECT_EQ(middle.rows_before, 3);
  EXPECT_EQ(middle.values_before_row, 1);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto crossing, Select(format, 6, 2, 3, pages));
  EXPECT_EQ(crossing.pages.data.size(), 3);
  EXPECT_EQ(crossing.rows_before, 0);
}

TEST_F(SelectPagesTest, CountsTheRowsOfV2Pages) {
  SlotFormat format;
  format.is_list = true;
  format.slots_per_row = 0;
  const PageList pages = PagesOf({10, 20, 30}, PageHeader::kDataV2);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto selection, Select(format, 30, 5, 14, pages));
  EXPECT_EQ(selection.pages.data.size(), 1);
  EXPECT_EQ(selection.rows_before, 5);
  EXPECT_EQ(selection.values_before_row, std::nullopt);
  // The last list may go on in the next page, although the format forbids it.
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto whole, Select(format, 30, 5, 15, pages));
  EXPECT_EQ(whole.pages.data.size(), 2);
  EXPECT_THAT(
      Select(format, 31, 5, 15, pages),
      StatusIs(StatusCode::kCorrupt, "expected 31 rows by the footer, found 30"));
}

TEST_F(SelectPagesTest, TakesAllPagesThatDoNotTell) {
  SlotFormat format;
  format.is_list = true;
  format.slots_per_row = 0;
  const PageList pages = PagesOf({10, 20, 30}, PageHeader::kData);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto selection, Select(format, 30, 5, 15, pages));
  EXPECT_EQ(selection.pages.data.size(), 3);
  EXPECT_FALSE(selection.is_counted);
}

}  // namespace
}  // namespace rowfeed
