// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0

// Tests which nulls DecodeColumn and DecodeColumnWithArrow refuse, and with which
// message.
#include <functional>
#include <string>
#include <vector>

#include "arrow/table.h"
#include "arrow/type.h"
#include "core/decode/column_decoder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/chunk_fixture.h"
#include "testing/parquet_file.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

using ::rowfeed::testing::StatusIs;
using ::testing::ElementsAre;
using testing::TestChunk;

using Decoder = Result<PartBlocks> (*)(const ChunkRequest&,
                                       const std::shared_ptr<BufferPool>&);

TestChunk ChunkOf(const std::shared_ptr<arrow::DataType>& type,
                  const std::string& json) {
  const auto table = testing::TableOf({{arrow::field("x", type), json}});
  return testing::OpenChunks(testing::ParquetBytes(*table)).at(0);
}

// Runs each test with both decoders.
class NullPolicyTest : public ::testing::TestWithParam<Decoder> {
 protected:
  Result<PartBlocks> Decode(const ChunkRequest& request) {
    return GetParam()(request, pool_);
  }
  std::vector<std::string> Rows(const TestChunk& chunk) {
    const auto block = Decode(chunk.Request());
    EXPECT_THAT(block, testing::IsOk());
    return block.ok() ? testing::RowsOf(*block, chunk.column)
                      : std::vector<std::string>();
  }

  std::shared_ptr<BufferPool> pool_ = BufferPool::Make(1 << 24);
};

TEST_P(NullPolicyTest, NamesTheRowOfANull) {
  const TestChunk chunk = ChunkOf(arrow::int32(), "[1, 2, 3, null, 5, null]");
  EXPECT_THAT(
      Decode(chunk.Request()),
      StatusIs(StatusCode::kInvalid, "null at row 3 of the row group; give a fill"));
  EXPECT_THAT(Decode(chunk.Request(4, 6)), StatusIs(StatusCode::kInvalid, "row 5"));
}

TEST_P(NullPolicyTest, MindsOnlyTheRowsAskedFor) {
  ROWFEED_EXPECT_OK(
      Decode(ChunkOf(arrow::int32(), "[null, 2, 3, null]").Request(1, 3)));
  ROWFEED_EXPECT_OK(Decode(
      ChunkOf(arrow::list(arrow::int32()), "[null, [1], [], [null]]").Request(1, 3)));
}

TEST_P(NullPolicyTest, NamesTheRowOfANullElementAndOfANullList) {
  const auto type = arrow::list(arrow::int8());
  EXPECT_THAT(Decode(ChunkOf(type, "[[1, 2], [], [3, null], null]").Request()),
              StatusIs(StatusCode::kInvalid, "null at row 2"));
  EXPECT_THAT(Decode(ChunkOf(type, "[[1, 2], null, [3]]").Request()),
              StatusIs(StatusCode::kInvalid, "null at row 1"));
}

TEST_P(NullPolicyTest, FillsNulls) {
  TestChunk numbers = ChunkOf(arrow::uint8(), "[65, null, 67]");
  numbers.fill = "?";
  EXPECT_THAT(Rows(numbers), ElementsAre("A", "?", "C"));
  TestChunk strings = ChunkOf(arrow::utf8(), R"(["a", null, "", "dd"])");
  strings.fill = "none";
  EXPECT_THAT(Rows(strings), ElementsAre("a", "none", "", "dd"));
  strings.fill = "";
  EXPECT_THAT(Rows(strings), ElementsAre("a", "", "", "dd"));
  TestChunk blobs = ChunkOf(arrow::fixed_size_binary(2), R"(["ab", null])");
  blobs.fill = "?";
  EXPECT_THAT(Rows(blobs), ElementsAre("ab", "??"));
}

TEST_P(NullPolicyTest, FillsLists) {
  TestChunk ragged = ChunkOf(arrow::list(arrow::uint8()),
                             "[[65, null], null, [], [null, null], [66]]");
  ragged.fill = "?";
  EXPECT_THAT(Rows(ragged), ElementsAre("A?", "", "", "??", "B"));
  TestChunk dense = ChunkOf(arrow::fixed_size_list(arrow::uint8(), 2),
                            "[[65, null], null, [66, 67]]");
  dense.fill = "?";
  EXPECT_THAT(Rows(dense), ElementsAre("A?", "??", "BC"));
}

TEST_P(NullPolicyTest, RefusesListsOfAnotherSize) {
  TestChunk chunk =
      ChunkOf(arrow::list(arrow::int32()), "[[1, 2], [3, 4], [5], [6, 7]]");
  chunk.column.ragged_rank = 0;
  chunk.column.dense_shape = chunk.column.list_sizes = {2};
  EXPECT_THAT(Decode(chunk.Request()),
              StatusIs(StatusCode::kCorrupt,
                       "row 2 of the row group has 1 elements, expected 2"));
  ROWFEED_EXPECT_OK(Decode(chunk.Request(0, 2)));
}

TEST_P(NullPolicyTest, RefusesAnotherNumberOfRows) {
  const std::function<TestChunk()> chunks[] = {
      [] { return ChunkOf(arrow::int32(), "[1, 2, 3]"); },
      [] { return ChunkOf(arrow::list(arrow::int32()), "[[1], [2, 3], []]"); }};
  for (const auto& make : chunks) {
    TestChunk chunk = make();
    chunk.group_rows = 4;
    EXPECT_THAT(Decode(chunk.Request()), StatusIs(StatusCode::kCorrupt, "4 rows"));
    chunk.group_rows = 2;
    EXPECT_THAT(Decode(chunk.Request()), StatusIs(StatusCode::kCorrupt, "2 rows"));
  }
}

TEST_P(NullPolicyTest, RefusesStorageThatIsNotTheColumn) {
  TestChunk chunk = ChunkOf(arrow::int32(), "[1]");
  chunk.column.dtype = DType::kFloat32;
  EXPECT_THAT(Decode(chunk.Request()), StatusIs(StatusCode::kUnsupported, "float32"));
}

TEST_P(NullPolicyTest, RefusesAChunkBeyondTheFile) {
  TestChunk chunk = ChunkOf(arrow::int32(), "[1]");
  chunk.chunk.size = int64_t{1} << 40;
  EXPECT_THAT(Decode(chunk.Request()), StatusIs(StatusCode::kCorrupt, "a file of"));
}

INSTANTIATE_TEST_SUITE_P(Decoders, NullPolicyTest,
                         ::testing::Values(&DecodeColumn, &DecodeColumnWithArrow),
                         [](const auto& info) {
                           return info.param == &DecodeColumn ? "Pages" : "Arrow";
                         });

}  // namespace
}  // namespace rowfeed
