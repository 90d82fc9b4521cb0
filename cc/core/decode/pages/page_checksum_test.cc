// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/pages/page_checksum.h"

#include <memory>
#include <string>

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

using ::rowfeed::testing::IsOk;
using ::rowfeed::testing::StatusIs;

constexpr int64_t kRows = 5000;

struct ChecksumCase {
  std::string name;
  std::shared_ptr<arrow::DataType> type;
  bool is_v2 = false;
  bool with_dictionary = false;
  bool is_compressed = false;
};

std::string BytesOf(const ChecksumCase& test) {
  const auto array = testing::RandomArray(
      test.type, kRows, 7, {.distinct_values = test.with_dictionary ? 50 : 0});
  parquet::WriterProperties::Builder builder;
  builder.enable_page_checksum()
      ->data_pagesize(2000)
      ->write_batch_size(64)
      ->compression(test.is_compressed ? arrow::Compression::LZ4
                                       : arrow::Compression::UNCOMPRESSED)
      ->data_page_version(test.is_v2 ? parquet::ParquetDataPageVersion::V2
                                     : parquet::ParquetDataPageVersion::V1);
  if (!test.with_dictionary) builder.disable_dictionary();
  return testing::ParquetBytes(
      *arrow::Table::Make(arrow::schema({arrow::field("x", test.type)}), {array}),
      {.properties = builder.build()});
}

class PageChecksumTest : public ::testing::TestWithParam<ChecksumCase> {
 protected:
  // Expects the same of both decoders, ours and Arrow's.
  template <typename Matcher>
  void ExpectBoth(const ChunkRequest& request, const Matcher& matcher) {
    EXPECT_THAT(DecodeColumn(request, pool_), matcher);
    EXPECT_THAT(DecodeColumnWithArrow(request, pool_), matcher);
  }

  const std::shared_ptr<BufferPool> pool_ = BufferPool::Make(1 << 26);
};

TEST_P(PageChecksumTest, IntactPagesMatch) {
  const testing::TestChunk chunk = testing::OpenChunks(BytesOf(GetParam())).at(0);
  ChunkRequest request = chunk.Request();
  request.verifies_checksums = true;
  ExpectBoth(request, IsOk());
}

TEST_P(PageChecksumTest, ADamagedBodyIsFound) {
  std::string bytes = BytesOf(GetParam());
  const testing::TestChunk intact = testing::OpenChunks(bytes).at(0);
  // The last byte of the chunk belongs to the values of a page.
  bytes[intact.chunk.offset + intact.chunk.size - 1] ^= 0x40;
  const testing::TestChunk chunk = testing::OpenChunks(bytes).at(0);
  ChunkRequest request = chunk.Request();
  request.verifies_checksums = true;
  ExpectBoth(request, StatusIs(StatusCode::kCorrupt, "checksum"));
  EXPECT_THAT(
      DecodeColumn(request, pool_),
      StatusIs(StatusCode::kCorrupt, "of the file does not match its checksum"));
  // Rows of other pages can still be read.
  ChunkRequest others = chunk.Request(0, 10);
  others.verifies_checksums = true;
  if (!chunk.column.is_variable()) {
    EXPECT_THAT(DecodeColumn(others, pool_), IsOk());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, PageChecksumTest,
    ::testing::Values(ChecksumCase{"Numbers", arrow::float64()},
                      ChecksumCase{"NumbersV2", arrow::int64(), true},
                      ChecksumCase{"Compressed", arrow::int64(), false, false, true},
                      ChecksumCase{"CompressedV2", arrow::utf8(), true, false, true},
                      ChecksumCase{"Dictionary", arrow::int64(), false, true},
                      ChecksumCase{"Lists", arrow::list(arrow::int32()), true},
                      ChecksumCase{"Wide",
                                   arrow::fixed_size_list(arrow::int64(), 100)}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace rowfeed
