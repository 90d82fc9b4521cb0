// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that blocks hold little more memory than they must.
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "arrow/array/builder_binary.h"
#include "arrow/table.h"
#include "arrow/type.h"
#include "core/catalog/partition.h"
#include "core/decode/file_rows.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using parquet::Encoding;
using parquet::WriterProperties;
using testing::TestChunk;

constexpr int64_t kRows = 50'000;
constexpr int64_t kLength = 12;

TestChunk ChunkOfIds(WriterProperties::Builder* builder) {
  arrow::StringBuilder ids;
  for (int64_t i = 0; i < kRows; ++i) {
    const std::string id = std::to_string(i * 7919);
    EXPECT_TRUE(ids.Append(std::string(kLength - id.size(), '0') + id).ok());
  }
  const auto array = *ids.Finish();
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", array->type())}), {array});
  builder->disable_statistics();
  return testing::OpenChunks(
             testing::ParquetBytes(*table, {.properties = builder->build()}))
      .at(0);
}

// Returns the bytes that a block holds of the rows from `begin` on, after all of them
// are selected.
int64_t BytesHeld(const TestChunk& chunk, int64_t begin = 0) {
  const auto pool = BufferPool::Make(int64_t{1} << 30);
  const auto blocks = DecodeColumn(chunk.Request(begin, kRows), pool);
  if (!blocks.ok()) return -1;
  auto& block = static_cast<VariableBlock&>(*blocks->at(0));
  std::vector<uint32_t> rows(kRows - begin);
  std::iota(rows.begin(), rows.end(), 0);
  EXPECT_TRUE(block.Select(rows.data(), kRows - begin, pool).ok());
  return block.bytes_held();
}

TEST(HeldMemoryTest, StringsTakeWhatTheirWindowWasPlannedWith) {
  WriterProperties::Builder plain;
  plain.disable_dictionary();
  // Dictionary-coded until the dictionary is full.
  WriterProperties::Builder by_default;
  by_default.dictionary_pagesize_limit(1 << 16);
  for (WriterProperties::Builder* builder : {&plain, &by_default}) {
    const TestChunk chunk = ChunkOfIds(builder);
    const auto planned =
        static_cast<double>(VariableBlockBytes(chunk.column, chunk.chunk, kRows));
    for (const int64_t begin : {0, 100}) {
      const auto held = static_cast<double>(BytesHeld(chunk, begin));
      EXPECT_GT(held, 0);
      // Size classes of the pool differ by up to a quarter.
      EXPECT_LT(held, planned * 1.3);
    }
  }
}

TEST(HeldMemoryTest, PagesOfWhichStringsWereCopiedAreNotKept) {
  WriterProperties::Builder delta;
  delta.disable_dictionary()
      ->compression(arrow::Compression::SNAPPY)
      ->encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY);
  const int64_t view = sizeof(parquet::ByteArray);
  EXPECT_LT(BytesHeld(ChunkOfIds(&delta)), kRows * (kLength + view) * 5 / 4);
}

TEST(HeldMemoryTest, ConstantsAreOfTheRowsThatAreWanted) {
  const std::string value(40, 'x');
  WriterProperties::Builder builder;
  TestChunk chunk = ChunkOfIds(&builder);
  chunk.group_rows = 10'000'000;
  ChunkRequest request = chunk.Request(5'000'000, 5'000'100);
  request.constant = Constant{value};
  const auto pool = BufferPool::Make(int64_t{1} << 30);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const PartBlocks blocks, DecodeColumn(request, pool));
  EXPECT_LT(static_cast<const VariableBlock&>(*blocks.at(0)).bytes_held(), 1 << 16);
  EXPECT_EQ(testing::RowsOf(blocks, chunk.column),
            std::vector<std::string>(100, value));
}

}  // namespace
}  // namespace rowfeed
