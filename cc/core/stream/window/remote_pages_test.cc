// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/remote_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace rowfeed {
namespace {

using ::testing::ElementsAre;

// Returns the begin and the end of each extent that is fetched for the rows.
std::vector<std::pair<int64_t, int64_t>> Fetched(const ColumnChunk& chunk,
                                                 const PageLocations& pages,
                                                 int64_t begin_row, int64_t end_row) {
  std::vector<std::pair<int64_t, int64_t>> extents;
  for (const Extent& extent : ExtentsOfRows(chunk, pages, begin_row, end_row)) {
    extents.emplace_back(extent.offset, extent.end());
  }
  return extents;
}

ColumnChunk ChunkOf(int64_t size) {
  ColumnChunk chunk;
  chunk.offset = 1000;
  chunk.size = size;
  return chunk;
}

TEST(ExtentsOfRowsTest, PagesThatHoldTheRows) {
  const PageLocations pages = {
      {0, 10'000, 0}, {10'000, 10'000, 50}, {20'000, 9'000, 90}};
  const ColumnChunk chunk = ChunkOf(29'000);
  EXPECT_THAT(Fetched(chunk, pages, 0, 50), ElementsAre(std::pair(1000, 11'000)));
  EXPECT_THAT(Fetched(chunk, pages, 49, 51), ElementsAre(std::pair(1000, 21'000)));
  EXPECT_THAT(Fetched(chunk, pages, 50, 90), ElementsAre(std::pair(11'000, 21'000)));
  EXPECT_THAT(Fetched(chunk, pages, 95, 100), ElementsAre(std::pair(21'000, 30'000)));
}

TEST(ExtentsOfRowsTest, TheDictionaryAndWhatHeadersAreLookedAtThrough) {
  const PageLocations pages = {{500, 600, 0}, {1100, 600, 10}, {1700, 20'000, 20}};
  const ColumnChunk chunk = ChunkOf(21'700);
  const int64_t peek = 4096;
  EXPECT_THAT(Fetched(chunk, pages, 10, 20),
              ElementsAre(std::pair(int64_t{1000}, 1000 + peek),
                          std::pair(int64_t{2100}, 2100 + peek)));
  EXPECT_THAT(Fetched(ChunkOf(1800), pages, 20, 21),
              ElementsAre(std::pair(1000, 2800), std::pair(2700, 2800)));
}

TEST(ExtentsOfRowsTest, AllWhereNothingIsKnown) {
  EXPECT_THAT(Fetched(ChunkOf(300), {}, 5, 6), ElementsAre(std::pair(1000, 1300)));
}

}  // namespace
}  // namespace rowfeed
