// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/locate_pages.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "core/catalog/footer.h"
#include "core/decode/column_decoder.h"
#include "core/decode/pages/offset_index.h"
#include "core/decode/pages/page_locations.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::IsOk;
using ::rowfeed::testing::StatusIs;
using testing::TestChunk;

constexpr int64_t kRows = 20000;

struct PageCase {
  std::string name;
  std::shared_ptr<arrow::DataType> type;
  bool is_v2 = false;
  bool with_dictionary = false;
};

class PageLocationsTest : public ::testing::TestWithParam<PageCase> {
 protected:
  // The only column of a file, with many pages.
  void Write(const PageCase& test, bool with_index) {
    array_ = testing::RandomArray(
        test.type, kRows, 23,
        {.null_share = 0.1, .distinct_values = test.with_dictionary ? 300 : 0});
    const auto table =
        arrow::Table::Make(arrow::schema({arrow::field("x", test.type)}), {array_});
    parquet::WriterProperties::Builder builder;
    if (!test.with_dictionary) builder.disable_dictionary();
    if (with_index) {
      builder.enable_write_page_index();
    } else {
      builder.disable_write_page_index();
    }
    builder
        .data_page_version(test.is_v2 ? parquet::ParquetDataPageVersion::V2
                                      : parquet::ParquetDataPageVersion::V1)
        ->data_pagesize(3000)
        ->write_batch_size(64);
    chunk_ = testing::OpenChunks(
                 testing::ParquetBytes(*table, {.properties = builder.build()}))
                 .at(0);
    chunk_.fill = chunk_.column.is_bytes()
                      ? "a fill"
                      : std::string(ElementSize(chunk_.column.dtype), '?');
  }

  Result<PageLocations> ReadIndex() {
    ROWFEED_ASSIGN_OR_RETURN(const Footer footer, ReadFooter(*chunk_.file));
    ROWFEED_ASSIGN_OR_RETURN(const OffsetIndexes indexes,
                             OffsetIndexes::Open(*chunk_.file, footer.digest));
    return indexes.Read(*chunk_.file, chunk_.chunk, kRows);
  }

  Result<PartBlocks> Decode(int64_t begin, int64_t end, const PageLocations& pages) {
    ChunkRequest request = chunk_.Request(begin, end);
    request.pages = &pages;
    return DecodeColumn(request, pool_);
  }

  std::shared_ptr<arrow::Array> array_;
  TestChunk chunk_;
  const std::shared_ptr<BufferPool> pool_ = BufferPool::Make(1 << 26);
};

TEST_P(PageLocationsTest, OnlyThePagesOfTheRowsAreRead) {
  Write(GetParam(), /*with_index=*/true);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageLocations pages, ReadIndex());
  ASSERT_GT(pages.size(), 5);
  for (const auto& [begin, end] : std::vector<std::pair<int64_t, int64_t>>{
           {0, 1}, {7000, 7001}, {kRows - 1, kRows}, {5000, 6000}, {0, kRows}}) {
    SCOPED_TRACE(begin);
    const int64_t before = chunk_.file->bytes_read();
    ROWFEED_ASSERT_OK_AND_ASSIGN(const auto blocks, Decode(begin, end, pages));
    // One page with its header, and maybe the dictionary with its header.
    if (end - begin == 1) {
      EXPECT_LT(chunk_.file->bytes_read() - before, 20000 + 2 * pages.front().offset);
    }
    EXPECT_TRUE(testing::RowsOf(blocks, chunk_.column) ==
                testing::RowsOf(*array_, begin, end, chunk_.column, *chunk_.fill));
  }
}

// Pages between the wanted ones are left out: not even their headers are read.
TEST_P(PageLocationsTest, OnlyThePagesOfSomeRowsAreRead) {
  Write(GetParam(), /*with_index=*/true);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageLocations pages, ReadIndex());
  constexpr int64_t kBegin = 100;
  const std::vector<uint32_t> rows{0, 1, 6900, 9000, 9001, 15000};
  ChunkRequest request = chunk_.Request(kBegin, kBegin + 15001);
  request.some_rows = &rows;
  request.pages = &pages;
  const int64_t before = chunk_.file->bytes_read();
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto blocks, DecodeColumn(request, pool_));
  // For the dictionary and its header.
  int64_t most = 2 * (pages.front().offset + 4096);
  int64_t wanted = 0;
  for (size_t i = 0; i < pages.size(); ++i) wanted += IsWanted(request, i) ? 1 : 0;
  EXPECT_LE(wanted, 4);
  for (size_t i = 0; i < pages.size(); ++i) {
    if (IsWanted(request, i)) most += pages[i].size;
  }
  EXPECT_LE(chunk_.file->bytes_read() - before, most);
  const auto found = testing::RowsOf(blocks, chunk_.column);
  for (const uint32_t row : rows) {
    EXPECT_TRUE(found[row] == testing::RowsOf(*array_, kBegin + row, kBegin + row + 1,
                                              chunk_.column, *chunk_.fill)[0])
        << row;
  }
}

TEST_P(PageLocationsTest, HeadersTellWhatTheIndexDoes) {
  Write(GetParam(), /*with_index=*/true);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageLocations pages, ReadIndex());
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageLocations located,
                               LocatePages(chunk_.Request(), pool_));
  const bool is_list = chunk_.column.storage.max_repetition_level() > 0;
  if (is_list) {  // with null lists, so that sizes differ
    EXPECT_TRUE(located.empty());
    return;
  }
  ASSERT_EQ(located.size(), pages.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    EXPECT_EQ(located[i].offset, pages[i].offset);
    EXPECT_EQ(located[i].size, pages[i].size);
    EXPECT_EQ(located[i].first_row, pages[i].first_row);
  }
}

TEST_P(PageLocationsTest, AFileWithoutAnIndexHasNone) {
  Write(GetParam(), /*with_index=*/false);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageLocations pages, ReadIndex());
  EXPECT_TRUE(pages.empty());
}

TEST_P(PageLocationsTest, AnIndexThatLiesIsAnError) {
  Write(GetParam(), /*with_index=*/true);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PageLocations pages, ReadIndex());
  PageLocations wrong = pages;
  ++wrong[2].first_row;
  EXPECT_THAT(Decode(wrong[1].first_row, wrong[1].first_row + 1, wrong),
              StatusIs(StatusCode::kCorrupt, "rows, expected"));
  wrong = pages;
  ++wrong[1].size;
  EXPECT_THAT(Decode(wrong[1].first_row, wrong[1].first_row + 1, wrong),
              StatusIs(StatusCode::kCorrupt, "expected a data page of"));
  wrong = pages;
  ++wrong[1].offset;
  EXPECT_FALSE(Decode(wrong[1].first_row, wrong[1].first_row + 1, wrong).ok());
}

INSTANTIATE_TEST_SUITE_P(
    Types, PageLocationsTest,
    ::testing::Values(
        PageCase{"Numbers", arrow::int64()},
        PageCase{"NumbersV2", arrow::float32(), true},
        PageCase{"Strings", arrow::utf8()},
        PageCase{"DictionaryStrings", arrow::utf8(), false, true},
        PageCase{"Lists", arrow::list(arrow::int64())},
        PageCase{"ListsV2", arrow::list(arrow::int32()), true},
        PageCase{"DictionaryLists", arrow::list(arrow::int64()), false, true},
        PageCase{"FixedLists", arrow::fixed_size_list(arrow::int16(), 3)},
        PageCase{"WideFixedLists", arrow::fixed_size_list(arrow::float32(), 64), true}),
    [](const auto& info) { return info.param.name; });

TEST(CheckPageLocationsTest, PagesLieInTheChunkInOrder) {
  ColumnChunk chunk;
  chunk.size = 100;
  const auto check = [&](const PageLocations& pages) {
    return CheckPageLocations(pages, chunk, 10);
  };
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(check({}), IsOk());
  EXPECT_THAT(check({{10, 40, 0}, {50, 50, 7}}), IsOk());
  EXPECT_THAT(check({{10, 40, 0}, {50, 20, 0}, {70, 30, 10}}), IsOk());
  for (const PageLocations& wrong :
       std::vector<PageLocations>{{{10, 40, 1}},
                                  {{-1, 40, 0}},
                                  {{10, 0, 0}},
                                  {{10, 91, 0}},
                                  {{10, kHuge, 0}},
                                  {{kHuge, 10, 0}},
                                  {{10, 40, 0}, {49, 20, 7}},
                                  {{10, 40, 0}, {50, 20, 7}, {70, 20, 6}},
                                  {{10, 40, 0}, {50, 20, 11}}}) {
    EXPECT_THAT(check(wrong), StatusIs(StatusCode::kCorrupt, "is claimed"));
  }
}

}  // namespace
}  // namespace rowfeed
