// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/decode/levels/nested_levels.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/decode/column_decoder.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace rowfeed {
namespace {

struct Entry {
  int16_t repetition_level;
  int16_t definition_level;
};

// Tests lists of lists in which lists and elements can be null.
class InnerListsTest : public ::testing::Test {
 protected:
  InnerListsTest() {
    column_.dtype = DType::kInt64;
    column_.ragged_rank = 2;
    column_.storage.physical = ColumnStorage::kInt64;
    column_.storage.max_definition_level = 5;
    column_.storage.slot_definition_levels = {2, 4};
  }

  // Returns the lengths of the inner lists.
  Result<std::vector<int64_t>> Read(const std::vector<Entry>& entries) {
    const std::optional<std::string> fill(std::string(8, '\0'));
    const ChunkRequest request{.file = nullptr,
                               .chunk = {},
                               .group_rows = 100,
                               .begin_row = 0,
                               .end_row = 100,
                               .source = &column_,
                               .column = &column_,
                               .storage = &column_.storage,
                               .fill = &fill};
    const auto pool = BufferPool::Make(1 << 20);
    NestedLevels nested(request, pool);
    PooledArray<int64_t> offsets(pool);
    PooledArray<int16_t> slots(pool);
    std::vector<int16_t> repetition, definition;
    for (const Entry& entry : entries) {
      repetition.push_back(entry.repetition_level);
      definition.push_back(entry.definition_level);
    }
    ROWFEED_RETURN_NOT_OK(nested.Append(repetition.data(), definition.data(),
                                        std::ssize(entries), 0, 0, &offsets, &slots));
    ROWFEED_ASSIGN_OR_RETURN(const auto lists, nested.Finish());
    const PooledArray<int64_t>& lengths = lists.at(0).lengths;
    return std::vector<int64_t>(lengths.data(), lengths.data() + lengths.size());
  }

  Column column_;
};

TEST_F(InnerListsTest, CountsInnerLists) {
  // The rows are: [[1, 2], []], null, [null], [[], [null]]
  ROWFEED_ASSERT_OK_AND_ASSIGN(
      const auto lengths,
      Read({{0, 5}, {2, 5}, {1, 3}, {0, 0}, {0, 2}, {0, 3}, {1, 4}}));
  EXPECT_EQ(lengths, (std::vector<int64_t>{2, 0, 0, 0, 1}));
}

// Otherwise the first row would count one element more than it has values.
TEST_F(InnerListsTest, RefusesToGoOnWithTheListOfAnotherRow) {
  for (const int16_t empty : {0, 1}) {
    EXPECT_THAT(
        Read({{0, 5}, {0, empty}, {2, 5}}),
        testing::StatusIs(StatusCode::kCorrupt, "row 1 goes on with a list that"));
  }
}

TEST_F(InnerListsTest, RefusesNullListsOfMoreThanTheChunkCanHave) {
  column_.ragged_rank = 1;
  column_.list_sizes = column_.dense_shape = {int64_t{1} << 24};
  EXPECT_THAT(
      Read({{0, 2}, {0, 2}}),
      testing::StatusIs(StatusCode::kOutOfMemory, "null lists stand for far more"));
  column_.list_sizes = column_.dense_shape = {1000};
  ROWFEED_ASSERT_OK_AND_ASSIGN(const auto lengths, Read({{0, 2}, {1, 2}}));
  EXPECT_EQ(lengths, (std::vector<int64_t>{1000, 1000}));
}

}  // namespace
}  // namespace rowfeed
