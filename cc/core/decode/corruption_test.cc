// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests that damaged chunks give an error or rows, and never a crash; and that chunks
// with false sizes do not take much memory.
#include <random>
#include <string>
#include <vector>

#include "arrow/builder.h"
#include "arrow/table.h"
#include "arrow/type.h"
#include "core/decode/column_decoder.h"
#include "core/decode/file_rows.h"
#include "core/decode/locate_pages.h"
#include "core/decode/pages/page_header.h"
#include "core/decode/pages/page_locations.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/damage.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using parquet::Encoding;
using testing::TestChunk;
using TypePtr = std::shared_ptr<arrow::DataType>;

constexpr int64_t kRows = 300;
constexpr int kTrials = 150;

struct Case {
  TypePtr type;
  Encoding::type encoding = Encoding::PLAIN;
  arrow::Compression::type codec = arrow::Compression::UNCOMPRESSED;
  bool has_dictionary = false;
  double null_share = 0;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  const TypePtr types[] = {
      arrow::boolean(),
      arrow::int16(),
      arrow::float32(),
      arrow::utf8(),
      arrow::fixed_size_binary(140),
      arrow::list(arrow::int64()),
      arrow::fixed_size_list(arrow::float32(), 3),
      arrow::fixed_size_list(arrow::float32(), 40),
  };
  for (const TypePtr& type : types) {
    for (const double null_share : {0.0, 0.3}) {
      cases.push_back(
          {type, Encoding::PLAIN, arrow::Compression::UNCOMPRESSED, false, null_share});
      cases.push_back(
          {type, Encoding::PLAIN, arrow::Compression::UNCOMPRESSED, true, null_share});
      cases.push_back(
          {type, Encoding::PLAIN, arrow::Compression::SNAPPY, true, null_share});
    }
  }
  cases.push_back({arrow::boolean(), Encoding::RLE});
  cases.push_back({arrow::int64(), Encoding::DELTA_BINARY_PACKED});
  cases.push_back({arrow::utf8(), Encoding::DELTA_LENGTH_BYTE_ARRAY});
  cases.push_back({arrow::utf8(), Encoding::DELTA_BYTE_ARRAY});
  cases.push_back({arrow::fixed_size_binary(9), Encoding::DELTA_BYTE_ARRAY});
  cases.push_back({arrow::float32(), Encoding::BYTE_STREAM_SPLIT});
  cases.push_back({arrow::float64(), Encoding::PLAIN, arrow::Compression::ZSTD});
  cases.push_back({arrow::float64(), Encoding::PLAIN, arrow::Compression::LZ4});
  return cases;
}

std::string FileOf(const Case& test, bool is_v2) {
  const auto array = testing::RandomArray(
      test.type, kRows, 5, {.null_share = test.null_share, .distinct_values = 30});
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", test.type)}), {array});
  parquet::WriterProperties::Builder builder;
  builder.compression(test.codec)
      ->data_page_version(is_v2 ? parquet::ParquetDataPageVersion::V2
                                : parquet::ParquetDataPageVersion::V1)
      ->data_pagesize(500)
      ->write_batch_size(50)
      ->encoding(test.encoding);
  test.has_dictionary ? builder.enable_dictionary() : builder.disable_dictionary();
  return testing::ParquetBytes(*table, {.properties = builder.build()});
}

// Decodes a chunk with each decoder and gathers all rows, which reads every byte that a
// block points to. `pages` is where an index says that the pages lie.
void DecodeAndGather(const TestChunk& chunk, const PageLocations& pages,
                     const std::shared_ptr<BufferPool>& pool) {
  for (const auto& [begin, end] :
       {std::pair<int64_t, int64_t>{0, kRows}, {kRows / 3, kRows / 2}}) {
    const bool is_variable = PartsOf(chunk.column, Mask::kNone).at(0).is_variable;
    if (!is_variable) {
      const auto rows = testing::RowsInPlace(chunk, begin, end, pool);
      EXPECT_TRUE(rows.ok() || !rows.status().message().empty());
    }
    const ChunkRequest listed = chunk.Request(begin, end);
    ChunkRequest located = listed;
    located.pages = &pages;
    if (!is_variable) {
      for (const ChunkRequest& request : {listed, located}) {
        const auto placed = testing::RowsPlaced(request, pool);
        EXPECT_TRUE(placed.ok() || !placed.status().message().empty());
      }
    }
    std::vector<std::pair<decltype(&DecodeColumn), const ChunkRequest*>> ways = {
        {&DecodeColumn, &listed},
        {&DecodeColumn, &located},
        {&DecodeColumnWithArrow, &listed}};
    if (chunk.has_string_rows() && chunk.chunk.is_verbatim) {
      ways.emplace_back(&FindFileRows, &listed);
      ways.emplace_back(&FindFileRows, &located);
    }
    for (const auto& [decode, request] : ways) {
      const auto block = decode(*request, pool);
      if (!block.ok()) {
        EXPECT_NE(block.status().code(), StatusCode::kOk);
        EXPECT_FALSE(block.status().message().empty());
        continue;
      }
      if (block->empty()) continue;  // the pages are not stored verbatim
      EXPECT_EQ(testing::RowsOf(*block, chunk.column).size(), end - begin);
    }
  }
}

TEST(CorruptionTest, IsAStatusOrRows) {
  std::mt19937_64 random(17);
  const auto pool = BufferPool::Make(1 << 26);
  for (const Case& test : Cases()) {
    for (const bool is_v2 : {false, true}) {
      SCOPED_TRACE(test.type->ToString());
      const std::string file = FileOf(test, is_v2);
      TestChunk chunk = testing::OpenChunks(file).at(0);
      if (test.null_share > 0 || random() % 2 == 0) {
        chunk.fill = chunk.column.is_bytes()
                         ? "a fill"
                         : std::string(ElementSize(chunk.column.dtype), '\0');
      }
      ROWFEED_ASSERT_OK_AND_ASSIGN(const PageLocations pages,
                                   LocatePages(chunk.Request(), pool));
      for (int trial = 0; trial < kTrials; ++trial) {
        chunk.file = std::make_shared<testing::MemoryFile>(
            testing::Damage(chunk, file, &random));
        DecodeAndGather(chunk, pages, pool);
      }
    }
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

// A chunk of 100 KB on disk that decodes to 150 MB.
TEST(CorruptionTest, ThatGrowsBeyondTheFooterIsRefused) {
  arrow::BinaryBuilder builder;
  const std::string value(100000, 'x');
  for (int i = 0; i < 1500; ++i) ASSERT_TRUE(builder.Append(value).ok());
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", arrow::binary())}),
                         {builder.Finish().ValueOrDie()});
  parquet::WriterProperties::Builder properties;
  properties.disable_dictionary()->encoding(Encoding::DELTA_BYTE_ARRAY);
  const TestChunk chunk =
      testing::OpenChunks(
          testing::ParquetBytes(*table, {.properties = properties.build()}))
          .at(0);
  ASSERT_LT(chunk.chunk.size, 1000000);
  const auto pool = BufferPool::Make(1 << 26);
  for (const auto decode : {&DecodeColumn, &DecodeColumnWithArrow}) {
    EXPECT_THAT(decode(chunk.Request(), pool),
                testing::StatusIs(StatusCode::kOutOfMemory, ""));
  }
}

// The format has ten encodings; a header may state any number.
TEST(CorruptionTest, AnEncodingThatTheFormatDoesNotHaveIsRefused) {
  const auto pool = BufferPool::Make(1 << 26);
  const std::string file = FileOf({arrow::float32()}, /*is_v2=*/false);
  TestChunk chunk = testing::OpenChunks(file).at(0);
  int num_refused = 0;
  for (int64_t place = 0; place < 30; ++place) {
    for (const char byte : {'\x23', '\x24'}) {  // -18 and 18 in a header
      std::string damaged = file;
      damaged[chunk.chunk.offset + place] = byte;
      const auto* begin =
          reinterpret_cast<const uint8_t*>(damaged.data()) + chunk.chunk.offset;
      PageHeader header;
      if (!ReadPageHeader(begin, chunk.chunk.size, &header).ok()) continue;
      if (header.encoding != -18 && header.encoding != 18) continue;
      chunk.file = std::make_shared<testing::MemoryFile>(damaged);
      EXPECT_FALSE(DecodeColumn(chunk.Request(), pool).ok());
      ++num_refused;
    }
  }
  EXPECT_EQ(num_refused, 2);
}

TEST(CorruptionTest, OfTheChunksPlaceIsAStatusOrRows) {
  const auto pool = BufferPool::Make(1 << 26);
  for (const Case& test : Cases()) {
    const std::string file = FileOf(test, /*is_v2=*/false);
    const TestChunk chunk = testing::OpenChunks(file).at(0);
    for (int64_t size = 0; size < chunk.chunk.size; size += 1 + chunk.chunk.size / 60) {
      TestChunk cut = chunk;
      cut.chunk.size = size;
      const auto block = DecodeColumn(cut.Request(), pool);
      EXPECT_FALSE(block.ok()) << size << " of " << chunk.chunk.size << " bytes";
    }
  }
}

}  // namespace
}  // namespace rowfeed
