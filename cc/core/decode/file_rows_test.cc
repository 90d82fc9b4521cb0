// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests rows that are left in the file. Other tests check, for every layout, that they
// equal the rows of the other decoders (column_decoder_test.cc).
#include "core/decode/file_rows.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <string>

#include "arrow/array/builder_binary.h"
#include "arrow/table.h"
#include "arrow/type.h"
#include "gtest/gtest.h"
#include "parquet/properties.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/random_arrays.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using parquet::WriterProperties;
using ::rowfeed::testing::StatusIs;
using testing::TestChunk;

constexpr int64_t kRows = 40;
constexpr int64_t kMaxLength = 100000;  // 50 KB per row on average

std::shared_ptr<arrow::Array> WideRows() {
  return testing::RandomArray(arrow::binary(), kRows, 3, {.max_length = kMaxLength});
}

TestChunk ChunkOf(const std::shared_ptr<arrow::Array>& array,
                  WriterProperties::Builder* builder) {
  const auto table =
      arrow::Table::Make(arrow::schema({arrow::field("x", array->type())}), {array});
  return testing::OpenChunks(
             testing::ParquetBytes(*table, {.properties = builder->build()}))
      .at(0);
}

TestChunk WideChunk() {
  WriterProperties::Builder builder;
  builder.disable_dictionary()->disable_statistics();
  return ChunkOf(WideRows(), &builder);
}

TEST(FileRowsTest, AreLeftWhereTheyAreWideAndVerbatim) {
  const TestChunk wide = WideChunk();
  EXPECT_TRUE(AreRowsLeftInFile(wide.column, wide.chunk, kRows));
  EXPECT_FALSE(AreRowsLeftInFile(wide.column, wide.chunk, 1000 * kRows));

  WriterProperties::Builder compressed;
  compressed.disable_dictionary()->compression(arrow::Compression::SNAPPY);
  const TestChunk snappy = ChunkOf(WideRows(), &compressed);
  EXPECT_FALSE(AreRowsLeftInFile(snappy.column, snappy.chunk, kRows));

  WriterProperties::Builder delta;
  delta.disable_dictionary()->encoding(parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY);
  const TestChunk encoded = ChunkOf(WideRows(), &delta);
  EXPECT_FALSE(AreRowsLeftInFile(encoded.column, encoded.chunk, kRows));
}

TEST(FileRowsTest, TakeLittleMemoryAndAreReadOnce) {
  const TestChunk chunk = WideChunk();
  const auto pool = BufferPool::Make(1 << 26);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto block, DecodeColumn(chunk.Request(), pool));
  EXPECT_LT(chunk.file->bytes_read(), kRows * 1024);
  EXPECT_LT(static_cast<const VariableBlock&>(*block[0]).bytes_held(), kRows * 32);
  EXPECT_LE(static_cast<const VariableBlock&>(*block[0]).bytes_held(),
            VariableBlockBytes(chunk.column, chunk.chunk, kRows));
  const int64_t read_before = chunk.file->bytes_read();
  const int64_t reads_before = chunk.file->num_reads();
  EXPECT_TRUE(testing::RowsOf(block, chunk.column) ==
              testing::RowsOf(*WideRows(), 0, kRows, chunk.column, ""));
  EXPECT_LE(chunk.file->bytes_read() - read_before, chunk.chunk.size);
  // RowsOf gathers the rows in two runs, each with one read.
  EXPECT_EQ(chunk.file->num_reads() - reads_before, 2);
}

TEST(FileRowsTest, ThatAreShortShareTheReadThatFindsThem) {
  arrow::BinaryBuilder values;
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(values.Append(std::string(i % 100 == 99 ? 4'000'000 : 10, 'x')).ok());
  }
  WriterProperties::Builder builder;
  builder.disable_dictionary()->disable_statistics();
  const TestChunk chunk = ChunkOf(*values.Finish(), &builder);
  ASSERT_TRUE(AreRowsLeftInFile(chunk.column, chunk.chunk, 400));
  const auto pool = BufferPool::Make(1 << 26);
  ROWFEED_ASSERT_OK(DecodeColumn(chunk.Request(), pool));
  EXPECT_LT(chunk.file->num_reads(), 20);
}

// Pages as writers make them by default: a dictionary until it is full, plain values
// afterwards.
TEST(FileRowsTest, MayBeInADictionaryAtFirst) {
  WriterProperties::Builder builder;
  builder.enable_dictionary()
      ->disable_statistics()
      ->dictionary_pagesize_limit(500000)
      ->write_batch_size(4);
  const TestChunk chunk = ChunkOf(WideRows(), &builder);
  ASSERT_TRUE(AreRowsLeftInFile(chunk.column, chunk.chunk, kRows));
  const auto pool = BufferPool::Make(1 << 26);
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto block, DecodeColumn(chunk.Request(), pool));
  EXPECT_LT(chunk.file->bytes_read(), chunk.chunk.size / 2);
  EXPECT_TRUE(testing::RowsOf(block, chunk.column) ==
              testing::RowsOf(*WideRows(), 0, kRows, chunk.column, ""));
}

TEST(FileRowsTest, WithoutFillNameTheNull) {
  const auto array = testing::RandomArray(
      arrow::binary(), kRows, 3, {.null_share = 0.2, .max_length = kMaxLength});
  int64_t null = 0;
  while (array->IsValid(null)) ++null;
  WriterProperties::Builder builder;
  builder.disable_dictionary();
  const TestChunk chunk = ChunkOf(array, &builder);
  ASSERT_TRUE(AreRowsLeftInFile(chunk.column, chunk.chunk, kRows));
  const auto pool = BufferPool::Make(1 << 26);
  EXPECT_THAT(
      DecodeColumn(chunk.Request(), pool),
      StatusIs(StatusCode::kInvalid, "null at row " + std::to_string(null) + " "));
}

TEST(FileRowsTest, ThatClaimMoreThanTheirPageAreCorrupt) {
  TestChunk chunk = WideChunk();
  const auto pool = BufferPool::Make(1 << 26);
  std::string bytes(chunk.file->size(), '\0');
  ROWFEED_ASSERT_OK(chunk.file->ReadAt(0, chunk.file->size(),
                                       reinterpret_cast<uint8_t*>(bytes.data())));
  // The first string's length follows the levels of the first page.
  const auto first = testing::RowsOf(*WideRows(), 0, 1, chunk.column, "")[0];
  const auto length = static_cast<uint32_t>(first.size());
  const size_t place = bytes.find(
      std::string(reinterpret_cast<const char*>(&length), sizeof(length)) + first);
  ASSERT_NE(place, std::string::npos);
  const uint32_t huge = 0xfffffff0;
  std::memcpy(&bytes[place], &huge, sizeof(huge));
  chunk.file = std::make_shared<testing::MemoryFile>(bytes);
  EXPECT_THAT(DecodeColumn(chunk.Request(), pool),
              StatusIs(StatusCode::kCorrupt, "a value of 4294967280 bytes in a page"));
}

TEST(FileRowsTest, AreNotSoughtOnceCancelled) {
  const TestChunk chunk = WideChunk();
  const std::atomic<bool> cancelled = true;
  ChunkRequest request = chunk.Request();
  request.cancelled = &cancelled;
  EXPECT_THAT(DecodeColumn(request, BufferPool::Make(1 << 26)),
              StatusIs(StatusCode::kCancelled, ""));
}

}  // namespace
}  // namespace rowfeed
